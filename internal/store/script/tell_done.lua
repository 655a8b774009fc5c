-- Ends the task that tells whom a comment or topic concerns.
-- KEYS[1]  HASH  the comment or topic
-- KEYS[2]  HASH  the task
-- KEYS[3]  ZSET  due tasks of the partition
-- ARGV[1]  fencing token of the holder
-- ARGV[2]  name of the task
-- ARGV[3...] users who have a notification of it
-- Returns  1, or 0 when the task is no longer the holder's
local told = redis.call("HGET", KEYS[1], "told") or ""
local before = told
for i = 3, #ARGV do
  if not string.find(" " .. told .. " ", " " .. ARGV[i] .. " ", 1, true) then
    told = told == "" and ARGV[i] or told .. " " .. ARGV[i]
  end
end
if told ~= before then -- they have it, whoever holds the task now
  redis.call("HSET", KEYS[1], "told", told)
end
if redis.call("HGET", KEYS[2], "n") ~= ARGV[1] then
  return 0
end
redis.call("HDEL", KEYS[1], "tell")
redis.call("DEL", KEYS[2])
redis.call("ZREM", KEYS[3], ARGV[2])
return 1
