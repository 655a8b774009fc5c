-- Records that the owner of a home that is not kept has returned, and arms the task that fills it.
-- INCLUDE arm
-- KEYS owner     HASH    the owner
-- KEYS due       ZSET    due tasks of the partition
-- KEYS task      HASH    the task that fills the home
-- ARGV now       time    now
-- ARGV task_name string  name of the task
-- Returns  1, or 0 if there is nothing to do
local state, watermark = unpack(redis.call("HMGET", owner, "state", "homeFloor"))
if state ~= "ACTIVE" or watermark ~= "g" then
  return 0
end
redis.call("HSET", owner, "seen", now)
if not redis.call("ZSCORE", due, task_name) then
  arm(owner, task, "", "0", due, now, task_name)
end
return 1
