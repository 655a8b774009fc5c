-- Edits a comment.
-- INCLUDE changed text set_text rights arm notify_mentioned keep_recipients comment_changed evidence revise
-- KEYS comment   HASH    the comment
-- KEYS topic     HASH    its topic
-- KEYS due       ZSET    due tasks of the partition
-- KEYS task     HASH    the task that notifies users
-- KEYS parent?  HASH    the parent; only with a parent
-- ARGV id        comment the comment
-- ARGV viewer    user    the viewer
-- ARGV now       time    now
-- ARGV lease     time    end of the caller's lease of the task
-- ARGV task_name string  name of the task
-- ARGV content   string  the text
-- ARGV fields[]  pair    other fields to change
-- RETURN token   string  the task's fencing token, "0" if no user must be notified
-- Errors   STALE with the number of the present revision if another one was expected, RETRY if another one
--          was read before, NOT_FOUND, FORBIDDEN if another user wrote it, LOCKED if it or
--          its topic is not open, or is locked and the viewer does not moderate it
local author, deleted, mentioned, number, own_state = unpack(redis.call("HMGET", comment,
  "author", "deleted", "mentions", "floor", "state"))
local state, topic_author, category = unpack(redis.call("HMGET", topic, "state", "author", "category"))
local moderates_it = moderates_topic(category)
if not author or hidden(state, topic_author, viewer, category) or
  (own_state == "HELD" and viewer ~= author and not moderates_it) then
  return redis.error_reply("NOT_FOUND commentId")
end
if viewer ~= author then
  return redis.error_reply("FORBIDDEN commentId")
end
local locked = state == "LOCKED" or own_state == "LOCKED"
if deleted or not listed(state) or (own_state or "LOCKED") ~= "LOCKED" or (locked and not moderates_it) then
  return redis.error_reply("LOCKED commentId")
end

local refused = outdated(comment)
if refused then
  return refused
end
local fresh = {}
for i = 1, #fields do
  if (redis.call("HGET", comment, fields[i].name) or "") ~= fields[i].value then
    fresh[#fresh + 1] = fields[i].name
    fresh[#fresh + 1] = fields[i].value
  end
end
if #fresh > 0 or text_of(comment) ~= content then
  local revision = revise(comment, "c" .. id, viewer, now)
  if #fresh > 0 then
    local answered = parent and redis.call("HGET", parent, "author")
    keep_recipients(comment, topic_author .. " " .. (answered and answered .. " " or ""))
    redis.call("HSET", comment, unpack(fresh))
  end
  set_text(comment, revision, content)
  redis.call("HSET", comment, "edited", now)
  comment_changed(topic, id, number, false)
  changed(nil, comment, "TEXT", topic, "COMMENT")
end
return {token = notify_mentioned(comment, author, mentioned, task, due, lease, task_name)}
