-- Leaves the remaining homes that a topic enters or leaves to a task.
-- INCLUDE arm
-- KEYS topic     HASH    the topic
-- KEYS due       ZSET    due tasks of the partition
-- KEYS task      HASH    the task
-- ARGV fan       string  revision for which the first homes were written, "" if only homes were
--                         written that have the topic from what it has left
-- ARGV task_name string  name of the task
-- ARGV audiences string  audiences that remain
-- ARGV now       time    now
-- Returns  1, or 0 if another process did so before or starts again
if (redis.call("HGET", internal(topic), "fan") or "") ~= fan then
  return 0
end
local left, before = audiences, redis.call("HGET", task, "cursor")
if before and before ~= "" then
  left = left .. " " .. before
end
arm(topic, task, left, "0", due, now, task_name)
redis.call("HDEL", internal(topic), "fan")
return 1
