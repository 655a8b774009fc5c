-- Saves how far a task has come and until when its holder has it.
-- KEYS[1]  HASH  the task
-- KEYS[2]  ZSET  due tasks of the partition
-- ARGV[1]  fencing token of the holder
-- ARGV[2]  name of the task
-- ARGV[3]  cursor
-- ARGV[4]  when it is due again, Unix ms
-- ARGV[5]  "1" when there was progress, which forgives earlier attempts
-- Returns  1, or 0 when the task is no longer the holder's
if redis.call("HGET", KEYS[1], "n") ~= ARGV[1] then
  return 0
end
redis.call("HSET", KEYS[1], "cursor", ARGV[3])
if ARGV[5] == "1" then
  redis.call("HSET", KEYS[1], "attempts", "1")
end
redis.call("ZADD", KEYS[2], ARGV[4], ARGV[2])
return 1
