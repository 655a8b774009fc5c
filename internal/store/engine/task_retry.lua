-- Makes a task due that was given up, under a new token.
-- INCLUDE despite_full
-- KEYS task HASH    the task
-- KEYS due  ZSET    due tasks of the partition
-- KEYS dead ZSET    tasks given up
-- ARGV name string  name of the task
-- ARGV now  time    now
-- Returns  1, or 0 if there is no such task among those given up
if not redis.call("ZSCORE", dead, name) or redis.call("EXISTS", task) == 0 then
  return 0
end
despite_full(due)
redis.call("ZREM", dead, name)
redis.call("HINCRBY", task, "n", 1)
redis.call("HSET", task, "attempts", "0")
redis.call("ZADD", due, now, name)
return 1
