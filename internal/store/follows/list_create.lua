-- Creates a list of users.
-- INCLUDE creation
-- KEYS owner    HASH    the owner
-- KEYS lists    ZSET    the owner's lists
-- KEYS names    HASH    folded name -> list
-- ARGV owner_id user    the owner
-- ARGV name     string  name
-- ARGV fold     string  folded name
-- ARGV now      time    now
-- ARGV most     int     maximum number of lists of a user
-- Returns  the id
-- Errors   UNAUTHENTICATED if the account is not active, TOO_LONG_LISTS, TAKEN,
--          EXHAUSTED if the partition has no more ids
if redis.call("HGET", owner, "state") ~= "ACTIVE" then
  return redis.error_reply("UNAUTHENTICATED")
end
if redis.call("HEXISTS", names, fold) == 1 then
  return redis.error_reply("TAKEN name")
end
if redis.call("ZCARD", lists) >= tonumber(most) then
  return redis.error_reply("TOO_LONG_LISTS name")
end
local number, id, key = new_entity()
if not id then
  return redis.error_reply("EXHAUSTED")
end
redis.call("HSET", key, "owner", owner_id, "name", name, "fold", fold, "created", now)
redis.call("ZADD", lists, number, id)
redis.call("HSET", names, fold, id)
return number
