-- Ends tasks that notify users of comments or topics. If one was deleted, hidden or restored concurrently, its task stays,
-- and says so of the notifications.
-- INCLUDE arm listed
-- KEYS ended[].subject  HASH    the comment or topic
-- KEYS ended[].task     HASH    the task
-- KEYS ended[].due      ZSET    due tasks of the partition
-- KEYS ended[].topic    HASH    the topic, or the comment's topic
-- ARGV now              time    now
-- ARGV ended[].token    string  fencing token of the holder
-- ARGV ended[].name     string  name of the task
-- ARGV ended[].removed  flag    whether the notifications of it were withheld
-- ARGV ended[].users    string  users who have a notification of it, each followed by a space
-- Slots    several
-- Returns  for each 1; 0 if the task is no longer the holder's; 2 if the task stays
local function finish(i)
  local subject, task, added = ended[i].subject, ended[i].task, ended[i].users
  local state, deleted = unpack(redis.call("HMGET", subject, "state", "deleted"))
  local told, pending = unpack(redis.call("HMGET", internal(subject), "told", "tell"))
  local notified = told or ""
  for user in string.gmatch(added, "%d+") do
    if not string.find(" " .. notified .. " ", " " .. user .. " ", 1, true) then
      notified = notified == "" and user or notified .. " " .. user
    end
  end
  if notified ~= (told or "") then -- they have the notification, whoever holds the task now
    redis.call("HSET", internal(subject), "told", notified)
  end
  local shown = not deleted and state ~= "HIDDEN" and state ~= "HELD" and listed(redis.call("HGET", ended[i].topic, "state"))
  if (added ~= "" or pending) and shown == ended[i].removed then
    if not pending then
      redis.call("HSET", internal(subject), "tell", added)
    end
    arm(subject, task, "", "0", ended[i].due, now, ended[i].name)
    return 2
  end
  if redis.call("HGET", task, "n") ~= ended[i].token then
    return 0
  end
  redis.call("HDEL", internal(subject), "tell")
  redis.call("DEL", task)
  redis.call("ZREM", ended[i].due, ended[i].name)
  return 1
end

local results = {}
for i = 1, #ended do
  results[i] = finish(i)
end
return results
