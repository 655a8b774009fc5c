-- Ends the task that notifies users of a comment or topic. If that was deleted concurrently, the task
-- stays, and marks the notifications as read.
-- INCLUDE arm hidden
-- KEYS subject   HASH    the comment or topic
-- KEYS task      HASH    the task
-- KEYS due       ZSET    due tasks of the partition
-- KEYS topic     HASH    the topic, or the comment's topic
-- ARGV token     string  fencing token of the holder
-- ARGV task_name string  name of the task
-- ARGV removed   flag    whether the notifications of it were marked as read
-- ARGV now       time    now
-- ARGV users[]   user    users who have a notification of it
-- Returns  1; 0 if the task is no longer the holder's; 2 if the task stays
local notified = redis.call("HGET", subject, "told") or ""
local before, added = notified, ""
for i = 1, #users do
  local user = users[i]
  added = added .. user .. " "
  if not string.find(" " .. notified .. " ", " " .. user .. " ", 1, true) then
    notified = notified == "" and user or notified .. " " .. user
  end
end
if notified ~= before then -- they have the notification, whoever holds the task now
  redis.call("HSET", subject, "told", notified)
end
local state, deleted = unpack(redis.call("HMGET", subject, "state", "deleted"))
if added ~= "" and not removed and
  (deleted or state == "HIDDEN" or state == "HELD" or not listed(redis.call("HGET", topic, "state"))) then
  local pending = redis.call("HGET", subject, "tell")
  if not pending then
    redis.call("HSET", subject, "tell", added)
  end
  arm(subject, task, "", "0", due, now, task_name)
  return 2
end
if redis.call("HGET", task, "n") ~= token then
  return 0
end
redis.call("HDEL", subject, "tell")
redis.call("DEL", task)
redis.call("ZREM", due, task_name)
return 1
