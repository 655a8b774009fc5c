-- Notes that somebody came back whose home was not kept, and has it filled up.
-- KEYS[1]  HASH  the owner
-- KEYS[2]  ZSET  due tasks of the partition
-- KEYS[3]  HASH  the task that fills the home up
-- ARGV[1]  now, Unix ms
-- ARGV[2]  name of the task
-- Returns  1, or 0 when there is nothing to do
local u = redis.call("HMGET", KEYS[1], "state", "homeFloor")
if u[1] ~= "ACTIVE" or u[2] ~= "g" then
  return 0
end
redis.call("HSET", KEYS[1], "seen", ARGV[1])
if not redis.call("ZSCORE", KEYS[2], ARGV[2]) then
  local n = math.max(1000 * redis.call("HINCRBY", KEYS[1], "armed", 1), tonumber(redis.call("HGET", KEYS[3], "n") or "0") + 1)
  redis.call("HSET", KEYS[3], "n", string.format("%.0f", n), "attempts", "0", "cursor", "")
  redis.call("ZADD", KEYS[2], ARGV[1], ARGV[2])
end
return 1
