-- Withdraws a topic from a category that was deleted while the topic was posted or moved there: a moved
-- topic returns to its previous category, a new one is deleted, with the comments that were posted
-- concurrently. No success was reported for it. One that was to be restored there is hidden again, which is recorded.
-- INCLUDE changed topic_state listed event karma count_topic arm creation act forget_tags
-- KEYS topic            HASH      the topic
-- KEYS due              ZSET      due tasks of the partition
-- KEYS task             HASH      the task that removes it from bookmarks, and its comments from their authors' lists
-- KEYS hidden_items ZSET hidden topics and comments of the partition
-- KEYS bookmarkers      ZSET      users who have bookmarked it
-- ARGV id               topic     the topic
-- ARGV deleted_category category  the deleted category
-- ARGV task_name        string    name of the task
-- RETURN topic          TopicState  state for its indexes
-- Errors   NOT_FOUND if there is no such topic, EXHAUSTED
local state, category, kind, mentions, author = unpack(redis.call("HMGET", topic, "state", "category", "kind", "mentions",
  "author"))
local left, number, restored = unpack(redis.call("HMGET", internal(topic), "left", "floor", "hideAct"))
if not state then
  return redis.error_reply("NOT_FOUND topicId")
end
if category == deleted_category and listed(state) then
  local was_public = public(topic, state)
  local rest, back = string.match(left or "", "^(.-)(%d+) $")
  local said, untagged = "CATEGORY", nil
  if back then
    redis.call("HSET", topic, "category", back)
    redis.call("HSET", internal(topic), "left", rest)
    redis.call("HDEL", internal(topic), "epoch")
  elseif left and kind == "ARTICLE" then -- it came from no category
    redis.call("HSET", topic, "category", "0")
    redis.call("HDEL", internal(topic), "epoch")
  else
    said = restored and "STATE" or "DELETED"
    if restored then
      local _, hid, key = new_entity()
      if not hid then
        return redis.error_reply("EXHAUSTED")
      end
      record_act(hid, key, "HIDE", "t" .. id, author, "", restored)
      redis.call("HSET", topic, "state", "HIDDEN", "hidden", act_at)
      redis.call("HSET", internal(topic), "hideAct", hid)
      if state == "LOCKED" then
        redis.call("HSET", internal(topic), "locked", "1")
      end
      redis.call("ZADD", hidden_items, act_at, "t:" .. id)
    else
      redis.call("HSET", topic, "state", "DELETED", "deleted", act_at, "title", "", "content", "")
      redis.call("HDEL", topic, "link", "long")
      redis.call("DEL", topic .. ":text")
      untagged = forget_tags(topic)
      redis.call("HSET", internal(topic), "rejected", "1")
    end
    if was_public then
      count_topic(topic, -1)
    end
    if number ~= "0" or redis.call("EXISTS", bookmarkers) == 1 or (mentions or "") ~= "" then
      arm(topic, task, "", "0", due, act_at, task_name)
    end
  end
  redis.call("HSET", internal(topic), "fan", redis.call("HINCRBY", internal(topic), "rev", 1))
  changed(act_at, topic, said, untagged and topic, untagged)
end
return {topic = topic_state(topic)}
