-- Deletes a topic permanently: its texts are erased, and it is removed from its author's profile and the counts. Its hash
-- stays.
-- INCLUDE changed topic_state rights event karma count_topic comment_state raise_comments arm keep_recipients despite_full case_state text evidence keep_deleted forget_tags
-- KEYS topic     HASH    the topic
-- KEYS dirty     ZSET    dirty marks of the partition
-- KEYS due       ZSET    due tasks of the partition
-- KEYS task      HASH    the task that removes it from bookmarks, and its comments from their authors' lists
-- KEYS revisions ZSET    its kept revisions
-- KEYS texts     HASH    their texts
-- KEYS case      HASH    the reports on it
-- KEYS acts      ZSET    the acts on it
-- ARGV acts_prefix string prefix of acts of the partition
-- ARGV id        topic   the topic
-- ARGV viewer    user    the viewer; "0" for the end of the time for which a hidden topic is kept
-- ARGV now       time    now
-- ARGV hidden_before time of a hidden topic: it was hidden before
-- ARGV lease     time    end of the caller's lease of the task
-- ARGV task_name string  name of the task
-- RETURN token   string  the task's fencing token, "0" if the topic was deleted before
-- RETURN topic   TopicState  state for its indexes
-- RETURN states  strings of its first comments; see raise_comments
-- Errors   NOT_FOUND, FORBIDDEN if another user posted it
local state, author, category, hid = unpack(redis.call("HMGET", topic, "state", "author", "category", "hidden"))
if viewer == "0" then
  if state ~= "HIDDEN" or tonumber(hid or "0") >= tonumber(hidden_before) then
    redis.call("ZREM", hidden_items, state ~= "HIDDEN" and "t:" .. id or "")
    return redis.error_reply("NOT_FOUND topicId")
  end
elseif hidden(state, author, viewer, category) then
  return redis.error_reply("NOT_FOUND topicId")
elseif viewer ~= author then
  return redis.error_reply("FORBIDDEN topicId")
end

-- Leaves of edits by moderators which fields they changed.
local function forget_edits()
  for _, member in ipairs(redis.call("ZRANGE", acts, 0, -1)) do
    local act = acts_prefix .. string.format("%d", tonumber(string.sub(member, 12), 16))
    local kind, detail = unpack(redis.call("HMGET", act, "kind", "detail"))
    if kind == "EDIT" and string.sub(detail, 1, 1) == "{" then
      local names = {}
      for name in pairs(cjson.decode(detail).after) do
        names[#names + 1] = name
      end
      table.sort(names)
      redis.call("HSET", act, "detail", table.concat(names, " "))
    end
  end
end

local token, states = "0", {}
if state ~= "DELETED" then
  despite_full(dirty)
  if viewer ~= "0" then
    keep_deleted(topic, "t" .. id, case_open(case) or state == "HIDDEN" or state == "LOCKED", now)
  end
  redis.call("HSET", topic, "state", "DELETED", "deleted", now, "title", "", "content", "")
  local rev = redis.call("HINCRBY", internal(topic), "rev", 1)
  if public(topic, state) then
    redis.call("HSET", internal(topic), "fan", rev)
    count_topic(topic, -1)
  end
  states = raise_comments("")
  keep_recipients(topic, "")
  redis.call("DEL", revisions, texts, topic .. ":text")
  forget_edits()
  local untagged = forget_tags(topic)
  redis.call("HDEL", topic, ERASED.topic)
  redis.call("HDEL", internal(topic), ERASED.topic_internal)
  redis.call("ZREM", hidden_items, "t:" .. id)
  case_release(case, "t" .. id, now)
  changed(now, topic, "DELETED", untagged and topic, untagged)
  token = arm(topic, task, "", "1", due, lease, task_name)
end
return {token = token, topic = topic_state(topic), states = states}
