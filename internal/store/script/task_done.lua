-- Ends a task.
-- KEYS[1]  HASH  the task
-- KEYS[2]  ZSET  due tasks of the partition
-- ARGV[1]  fencing token of the holder
-- ARGV[2]  name of the task
-- Returns  1, or 0 when the task is no longer the holder's
if redis.call("HGET", KEYS[1], "n") ~= ARGV[1] then
  return 0
end
redis.call("DEL", KEYS[1])
redis.call("ZREM", KEYS[2], ARGV[2])
return 1
