-- Deletes a topic permanently: it is removed from its author's profile and the counts; its hash stays, so
-- that its author and moderators can still read it.
-- INCLUDE topic_state hidden event karma unlist despite_full
-- KEYS topic     HASH    the topic
-- KEYS dirty     ZSET    dirty marks of the partition
-- KEYS due       ZSET    due tasks of the partition
-- KEYS task      HASH    the task that removes it from bookmarks, and its comments from their authors' lists
-- ARGV id        topic   the topic
-- ARGV viewer    user    the viewer
-- ARGV moderator flag    whether the viewer is a moderator
-- ARGV now       time    now
-- ARGV lease     time    end of the caller's lease of the task
-- ARGV task_name string  name of the task
-- ARGV author_id user    the author, as the caller read it
-- RETURN token   string  the task's fencing token, "0" if the topic was deleted before
-- RETURN topic   TopicState  state for its indexes
-- Errors   NOT_FOUND, FORBIDDEN if another user posted it, RETRY if the
--          caller read another author
local state, now_author, comments, created = unpack(redis.call("HMGET", topic, "state", "author", "comments", "created"))
if hidden(state, now_author, viewer, moderator) then
  return redis.error_reply("NOT_FOUND topicId")
end
if viewer ~= now_author and not moderator then
  return redis.error_reply("FORBIDDEN topicId")
end
if now_author ~= author_id then
  return redis.error_reply("RETRY")
end

local token = 0
if state ~= "DELETED" then
  despite_full(dirty)
  redis.call("HSET", topic, "state", "DELETED", "deleted", now)
  redis.call("HSET", topic, "fan", redis.call("HINCRBY", topic, "rev", 1))
  unlist(topic, id, created, comments)
  redis.call("ZADD", dirty, "NX", now, "t:" .. id)
  redis.call("PUBLISH", topic, "t")
  token = redis.call("HINCRBY", task, "n", 1)
  redis.call("HSET", task, "attempts", "1", "cursor", "")
  redis.call("ZADD", due, lease, task_name)
end
return {token = token, topic = topic_state(topic)}
