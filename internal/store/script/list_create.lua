-- Makes a list of users.
-- KEYS[1]  STRING  sequence of the owner's partition
-- KEYS[2]  HASH    the owner
-- KEYS[3]  ZSET    the owner's lists
-- KEYS[4]  HASH    folded name -> list
-- ARGV[1]  prefix of list keys of the partition
-- ARGV[2]  number of the partition
-- ARGV[3]  number of partitions
-- ARGV[4]  largest id
-- ARGV[5]  owner's id
-- ARGV[6]  name
-- ARGV[7]  folded name
-- ARGV[8]  now, Unix ms
-- ARGV[9]  most lists of a user
-- Returns  the id
-- Errors   UNAUTHENTICATED when the account is not active, TOO_LONG_LISTS, TAKEN,
--          EXHAUSTED when the partition has no more ids
if redis.call("HGET", KEYS[2], "state") ~= "ACTIVE" then
  return redis.error_reply("UNAUTHENTICATED")
end
if redis.call("HEXISTS", KEYS[4], ARGV[7]) == 1 then
  return redis.error_reply("TAKEN name")
end
if redis.call("ZCARD", KEYS[3]) >= tonumber(ARGV[9]) then
  return redis.error_reply("TOO_LONG_LISTS name")
end
local seq = tonumber(redis.call("GET", KEYS[1]) or "0") + 1
local id = seq * tonumber(ARGV[3]) + tonumber(ARGV[2])
local key = ARGV[1] .. string.format("%d", id)
if id > tonumber(ARGV[4]) or redis.call("EXISTS", key) == 1 then
  return redis.error_reply("EXHAUSTED")
end
redis.call("SET", KEYS[1], string.format("%d", seq))
redis.call("HSET", key, "owner", ARGV[5], "name", ARGV[6], "fold", ARGV[7], "created", ARGV[8])
redis.call("ZADD", KEYS[3], id, string.format("%d", id))
redis.call("HSET", KEYS[4], ARGV[7], string.format("%d", id))
return id
