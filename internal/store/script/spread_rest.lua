-- Leaves the rest of the homes that a topic has to come to, or to leave, to a task.
-- KEYS[1]  HASH  the topic
-- KEYS[2]  ZSET  due tasks of the partition
-- KEYS[3]  HASH  the task
-- ARGV[1]  revision for which the first homes were written, "" when only such were that
--          have it from what it has left
-- ARGV[2]  name of the task
-- ARGV[3]  whose followers are left
-- ARGV[4]  now, Unix ms
-- Returns  1, or 0 when somebody else did so before or begins anew
if (redis.call("HGET", KEYS[1], "fan") or "") ~= ARGV[1] then
  return 0
end
local t = redis.call("HMGET", KEYS[3], "n", "cursor")
local n = math.max(1000 * redis.call("HINCRBY", KEYS[1], "armed", 1), tonumber(t[1] or "0") + 1)
local left = ARGV[3]
if t[2] and t[2] ~= "" then
  left = left .. " " .. t[2]
end
redis.call("HSET", KEYS[3], "n", string.format("%.0f", n), "attempts", "0", "cursor", left)
redis.call("ZADD", KEYS[2], ARGV[4], ARGV[2])
redis.call("HDEL", KEYS[1], "fan")
return 1
