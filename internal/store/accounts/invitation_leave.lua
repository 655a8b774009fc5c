-- Gives back the use of an invitation that a registration has taken, which was abandoned.
-- INCLUDE despite_full
-- KEYS invitations HASH   the invitations of the user who made it
-- KEYS dirty       ZSET   dirty marks of the partition
-- ARGV name        string name of the invitation
-- ARGV taker       string the registration, "user/nonce"
-- Returns  1, or 0 if it had taken none
local value = redis.call("HGET", invitations, name)
if not value then
  return 0
end
local is, left = cjson.decode(value), {}
for one in string.gmatch(is.came or "", "%S+") do
  if one ~= taker then
    left[#left + 1] = one
  end
end
local came = #left > 0 and table.concat(left, " ") or nil
if came == is.came then
  return 0
end
despite_full(dirty)
is.came = came
redis.call("HSET", invitations, name, cjson.encode(is))
return 1
