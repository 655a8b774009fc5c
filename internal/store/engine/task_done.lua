-- Ends a task.
-- KEYS task  HASH    the task
-- KEYS due   ZSET    due tasks of the partition
-- ARGV token string  fencing token of the holder
-- ARGV name  string  name of the task
-- Returns  1, or 0 if the task is no longer the holder's
if redis.call("HGET", task, "n") ~= token then
  return 0
end
redis.call("DEL", task)
redis.call("ZREM", due, name)
return 1
