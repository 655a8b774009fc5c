-- Records that the owner of a home has returned that is not kept, or not any more because who sees a category has changed,
-- and arms the task that fills it.
-- INCLUDE arm
-- KEYS owner     HASH    the owner
-- KEYS home      ZSET    the home
-- KEYS due       ZSET    due tasks of the partition
-- KEYS task      HASH    the task that fills the home
-- ARGV now       time    now
-- ARGV task_name string  name of the task
-- ARGV rooms     int     how often who sees a category has changed
-- Returns  1, or 0 if there is nothing to do
local account = internal(owner)
local floor, followed = unpack(redis.call("HMGET", account, "homeFloor", "homeRooms"))
local outdated = (followed or "0") ~= rooms
if redis.call("HGET", owner, "state") ~= "ACTIVE" or floor ~= "g" and not outdated then
  return 0
end
if outdated then
  redis.call("DEL", home)
  redis.call("HSET", account, "homeFloor", "g", "homeRooms", rooms)
  redis.call("HINCRBY", account, "homeEpoch", 1)
end
redis.call("HSET", internal(owner), "seen", now)
if not redis.call("ZSCORE", due, task_name) then
  arm(owner, task, "", "0", due, now, task_name)
end
return 1
