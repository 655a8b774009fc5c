-- Saves the progress of a task and extends its holder's lease.
-- INCLUDE despite_full
-- KEYS task     HASH    the task
-- KEYS due      ZSET    due tasks of the partition
-- ARGV token    string  fencing token of the holder
-- ARGV name     string  name of the task
-- ARGV cursor   string  cursor
-- ARGV next_due time    when it is due again
-- ARGV failure  string  what went wrong; "" if there was progress, which resets the attempts
-- Returns  1, or 0 if the task is no longer the holder's
if redis.call("HGET", task, "n") ~= token then
  return 0
end
despite_full(due)
redis.call("HSET", task, "cursor", cursor)
if failure == "" then
  redis.call("HSET", task, "attempts", "1")
  redis.call("HDEL", task, "failure")
else
  redis.call("HSET", task, "failure", failure)
end
redis.call("ZADD", due, next_due, name)
return 1
