-- Extends the lease of a task's holder. A task that waits longer remains so.
-- INCLUDE despite_full
-- KEYS task  HASH    the task
-- KEYS due   ZSET    due tasks of the partition
-- ARGV token string  fencing token of the holder
-- ARGV name  string  name of the task
-- ARGV lease time    end of the lease
-- Returns  1, or 0 if the task is no longer the holder's
if redis.call("HGET", task, "n") ~= token then
  return 0
end
despite_full(due)
redis.call("ZADD", due, "XX", "GT", lease, name)
return 1
