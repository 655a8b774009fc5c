-- Ends an invitation: nobody can register with it any more.
-- INCLUDE despite_full
-- KEYS invitations HASH   the user's invitations
-- KEYS dirty       ZSET   dirty marks of the partition
-- ARGV name        string its name
-- ARGV now         time:number now
-- Returns  1
-- Errors   NOT_FOUND
local value = redis.call("HGET", invitations, name)
if not value then
  return redis.error_reply("NOT_FOUND invitationId")
end
local is = cjson.decode(value)
if not is.revoked then
  despite_full(dirty)
  is.revoked = now
  redis.call("HSET", invitations, name, cjson.encode(is))
end
return 1
