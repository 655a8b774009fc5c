-- Arms a task that exists at most once, unless it is armed.
-- KEYS task  HASH    the task
-- KEYS due   ZSET    due tasks of the partition
-- ARGV name  string  name of the task
-- ARGV now   time    now
-- Returns  1, or 0 if it is armed already
if redis.call("EXISTS", task) == 1 then
  return 0
end
redis.call("HSET", task, "n", now, "attempts", "0", "cursor", "")
redis.call("ZADD", due, now, name)
return 1
