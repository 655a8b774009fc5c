-- Notes up to where a user has read a topic or a timeline, unless they have come further.
-- KEYS[1]  HASH  the user
-- KEYS[2]  HASH  up to where the user has read, by name
-- KEYS[3]  ZSET  the names by time of marking (Unix ms)
-- ARGV[1]  name
-- ARGV[2]  up to where: a floor, or a time in Unix ms
-- ARGV[3]  now, Unix ms
-- ARGV[4]  most names; those marked longest ago are forgotten
-- Returns  1
-- Errors   UNAUTHENTICATED when the account is not active
if redis.call("HGET", KEYS[1], "state") ~= "ACTIVE" then
  return redis.error_reply("UNAUTHENTICATED")
end

local last = tonumber(redis.call("HGET", KEYS[2], ARGV[1]) or "-1")
if tonumber(ARGV[2]) > last then
  redis.call("HSET", KEYS[2], ARGV[1], ARGV[2])
end
local at = tonumber(redis.call("ZSCORE", KEYS[3], ARGV[1]) or "0")
if tonumber(ARGV[3]) > at then
  redis.call("ZADD", KEYS[3], ARGV[3], ARGV[1])
end
local more = redis.call("ZCARD", KEYS[3]) - tonumber(ARGV[4])
if more > 0 then
  for _, name in ipairs(redis.call("ZRANGE", KEYS[3], 0, more - 1)) do
    redis.call("HDEL", KEYS[2], name)
    redis.call("ZREM", KEYS[3], name)
  end
end
return 1
