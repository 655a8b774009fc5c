-- Records that the owner of a home that is not kept has returned, and arms the task that fills it.
-- INCLUDE arm
-- KEYS owner     HASH    the owner
-- KEYS due       ZSET    due tasks of the partition
-- KEYS task      HASH    the task that fills the home
-- ARGV now       time    now
-- ARGV task_name string  name of the task
-- Returns  1, or 0 if there is nothing to do
if redis.call("HGET", owner, "state") ~= "ACTIVE" or redis.call("HGET", internal(owner), "homeFloor") ~= "g" then
  return 0
end
redis.call("HSET", internal(owner), "seen", now)
if not redis.call("ZSCORE", due, task_name) then
  arm(owner, task, "", "0", due, now, task_name)
end
return 1
