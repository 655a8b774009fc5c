-- Withdraws a topic from a category that was deleted while the topic was posted or moved there: a moved
-- topic returns to its previous category, a new one is deleted, with the comments that were posted
-- concurrently. No success was reported for it.
-- INCLUDE topic_state event karma unlist
-- KEYS topic            HASH      the topic
-- KEYS dirty            ZSET      dirty marks of the partition
-- KEYS due              ZSET      due tasks of the partition
-- KEYS task             HASH      the task that removes it from bookmarks, and its comments from their authors' lists
-- KEYS bookmarkers      ZSET      users who have bookmarked it
-- ARGV id               topic     the topic
-- ARGV deleted_category category  the deleted category
-- ARGV now              time      now
-- ARGV task_name        string    name of the task
-- RETURN topic          TopicState  state for its indexes
-- Errors   NOT_FOUND if there is no such topic
local state, category, left, number, comments, kind, created, mentions = unpack(redis.call("HMGET", topic,
  "state", "category", "left", "floor", "comments", "kind", "created", "mentions"))
if not state then
  return redis.error_reply("NOT_FOUND topicId")
end
if category == deleted_category and state ~= "DELETED" then
  local rest, back = string.match(left or "", "^(.-)(%d+) $")
  if back then
    redis.call("HSET", topic, "category", back, "left", rest)
  elseif left and kind == "ARTICLE" then -- it came from no category
    redis.call("HSET", topic, "category", "0")
  else
    redis.call("HSET", topic, "state", "DELETED", "deleted", now, "rejected", "1")
    unlist(topic, id, created, comments)
    if number ~= "0" or redis.call("EXISTS", bookmarkers) == 1 or (mentions or "") ~= "" then
      redis.call("HINCRBY", task, "n", 1)
      redis.call("HSET", task, "attempts", "0", "cursor", "")
      redis.call("ZADD", due, now, task_name)
    end
  end
  redis.call("HSET", topic, "fan", redis.call("HINCRBY", topic, "rev", 1))
  redis.call("ZADD", dirty, "NX", now, "t:" .. id)
  redis.call("PUBLISH", topic, "t")
end
return {topic = topic_state(topic)}
