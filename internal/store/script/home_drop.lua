-- Takes topics out of a home that none of its sources holds, unless these changed since
-- they were read, or a topic was brought home that was there already.
-- KEYS[1]  HASH  the owner
-- KEYS[2]  ZSET  the home
-- KEYS[3]  ZSET  due tasks of the partition
-- KEYS[4]  HASH  the task that fills the home up
-- KEYS[5]  STREAM  what happened in the home; only while it is watched
-- ARGV[1]  epoch of the home before the sources were read, "" for none
-- ARGV[2]  now, Unix ms
-- ARGV[3]  name of the task
-- ARGV[4]  a home with fewer topics is filled up
-- ARGV[5...] members
-- Returns  1, or 0 when the epoch is another now
local u = redis.call("HMGET", KEYS[1], "state", "homeEpoch", "homeFloor")
if u[1] ~= "ACTIVE" or (u[2] or "") ~= ARGV[1] then
  return 0
end
local went = 0
for i = 5, #ARGV do
  if redis.call("ZREM", KEYS[2], ARGV[i]) == 1 then
    redis.call("HINCRBY", KEYS[1], "homeEpoch", 1)
    went = went + 1
  end
end
if went > 0 and redis.call("EXISTS", KEYS[5]) == 1 then
  -- Too much at once to tell one by one.
  redis.call("XADD", KEYS[5], "MAXLEN", "~", 1, "*", "k", "X", "m", "", "o", "")
  redis.call("PUBLISH", KEYS[5], "")
end
if u[3] and u[3] ~= "g" and redis.call("ZCARD", KEYS[2]) < tonumber(ARGV[4]) then
  local n = math.max(1000 * redis.call("HINCRBY", KEYS[1], "armed", 1), tonumber(redis.call("HGET", KEYS[4], "n") or "0") + 1)
  redis.call("HSET", KEYS[4], "n", string.format("%.0f", n), "attempts", "0", "cursor", "")
  redis.call("ZADD", KEYS[3], ARGV[2], ARGV[3])
end
return 1
