-- Edits a topic.
-- INCLUDE topic_state hidden arm notify_mentioned
-- KEYS topic     HASH    the topic
-- KEYS dirty     ZSET    dirty marks of the partition
-- KEYS due       ZSET    due tasks of the partition
-- KEYS task      HASH    the task that notifies mentioned users
-- ARGV id        topic   the topic
-- ARGV viewer    user    the viewer
-- ARGV moderator flag    whether the viewer is a moderator
-- ARGV now       time    now
-- ARGV category  string  id of the new category, "" to leave it unchanged
-- ARGV lease     time    end of the caller's lease of the task
-- ARGV task_name string  name of the task
-- ARGV fields[]  pair    fields to change
-- RETURN topic   TopicState  state for its indexes
-- RETURN token   string  the task's fencing token, "0" if no user must be notified
-- Errors   NOT_FOUND, FORBIDDEN if another user posted it, LOCKED if it is deleted
local state, author, old_category, old_left, mentioned = unpack(redis.call("HMGET", topic,
  "state", "author", "category", "left", "mentions"))
if hidden(state, author, viewer, moderator) then
  return redis.error_reply("NOT_FOUND topicId")
end
if viewer ~= author and not moderator then
  return redis.error_reply("FORBIDDEN topicId")
end
if state ~= "OPEN" then
  return redis.error_reply("LOCKED topicId")
end

local changed = false
for i = 1, #fields do
  if redis.call("HGET", topic, fields[i].name) ~= fields[i].value then
    redis.call("HSET", topic, fields[i].name, fields[i].value)
    changed = true
  end
end
if category ~= "" and category ~= old_category then
  -- The old category's index holds the topic until the move has been written there; left records that in
  -- case this process dies before.
  local left = old_left or ""
  if old_category ~= "0" then
    left = left .. old_category .. " "
  end
  redis.call("HSET", topic, "category", category, "left", left)
  redis.call("HSET", topic, "fan", redis.call("HINCRBY", topic, "rev", 1))
  redis.call("ZADD", dirty, "NX", now, "t:" .. id)
  changed = true
end
if changed then
  redis.call("HSET", topic, "edited", now)
  redis.call("PUBLISH", topic, "t")
end
local token = notify_mentioned(topic, author, mentioned, task, due, lease, task_name)
return {topic = topic_state(topic), token = token}
