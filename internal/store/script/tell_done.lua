-- Ends the task that tells whom a comment or topic concerns. If that was deleted meanwhile,
-- the task stays: it marks what was told as read.
-- KEYS[1]  HASH  the comment or topic
-- KEYS[2]  HASH  the task
-- KEYS[3]  ZSET  due tasks of the partition
-- KEYS[4]  HASH  the topic that it is, or is on
-- ARGV[1]  fencing token of the holder
-- ARGV[2]  name of the task
-- ARGV[3]  "1" when what was told of it is marked as read
-- ARGV[4]  now, Unix ms
-- ARGV[5...] users who have a notification of it
-- Returns  1; 0 when the task is no longer the holder's; 2 when it stays
local told = redis.call("HGET", KEYS[1], "told") or ""
local before, given = told, ""
for i = 5, #ARGV do
  given = given .. ARGV[i] .. " "
  if not string.find(" " .. told .. " ", " " .. ARGV[i] .. " ", 1, true) then
    told = told == "" and ARGV[i] or told .. " " .. ARGV[i]
  end
end
if told ~= before then -- they have it, whoever holds the task now
  redis.call("HSET", KEYS[1], "told", told)
end
if given ~= "" and ARGV[3] ~= "1" and
  (redis.call("HEXISTS", KEYS[1], "deleted") == 1 or redis.call("HGET", KEYS[4], "state") == "DELETED") then
  local tell = redis.call("HGET", KEYS[1], "tell")
  if not tell then
    redis.call("HSET", KEYS[1], "tell", given)
  end
  local n = math.max(1000 * redis.call("HINCRBY", KEYS[1], "armed", 1), tonumber(redis.call("HGET", KEYS[2], "n") or "0") + 1)
  redis.call("HSET", KEYS[2], "n", string.format("%.0f", n), "attempts", "0", "cursor", "")
  redis.call("ZADD", KEYS[3], ARGV[4], ARGV[2])
  return 2
end
if redis.call("HGET", KEYS[2], "n") ~= ARGV[1] then
  return 0
end
redis.call("HDEL", KEYS[1], "tell")
redis.call("DEL", KEYS[2])
redis.call("ZREM", KEYS[3], ARGV[2])
return 1
