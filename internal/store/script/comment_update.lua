-- Edits a comment.
-- INCLUDE hidden arm notify_mentioned comment_changed
-- KEYS comment   HASH    the comment
-- KEYS topic     HASH    its topic
-- KEYS due       ZSET    due tasks of the partition
-- KEYS task      HASH    the task that notifies users
-- ARGV id        comment the comment
-- ARGV viewer    user    the viewer
-- ARGV moderator flag    whether the viewer is a moderator
-- ARGV now       time    now
-- ARGV lease     time    end of the caller's lease of the task
-- ARGV task_name string  name of the task
-- ARGV fields[]  pair    fields to change
-- RETURN token   string  the task's fencing token, "0" if no user must be notified
-- RETURN author  user    its author
-- Errors   NOT_FOUND, FORBIDDEN if another user wrote it, LOCKED if it or
--          its topic is deleted
local author, deleted, mentioned, number = unpack(redis.call("HMGET", comment,
  "author", "deleted", "mentions", "floor"))
local state, host = unpack(redis.call("HMGET", topic, "state", "author"))
if not author or hidden(state, host, viewer, moderator) then
  return redis.error_reply("NOT_FOUND commentId")
end
if viewer ~= author and not moderator then
  return redis.error_reply("FORBIDDEN commentId")
end
if deleted or state ~= "OPEN" then
  return redis.error_reply("LOCKED commentId")
end

local changed = false
for i = 1, #fields do
  if redis.call("HGET", comment, fields[i].name) ~= fields[i].value then
    redis.call("HSET", comment, fields[i].name, fields[i].value)
    changed = true
  end
end
if changed then
  redis.call("HSET", comment, "edited", now)
  comment_changed(topic, id, number, false)
end
return {token = notify_mentioned(comment, author, mentioned, task, due, lease, task_name), author = author}
