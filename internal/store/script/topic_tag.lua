-- Adds and removes tags of a topic.
-- INCLUDE topic_state hidden
-- KEYS topic      HASH    the topic
-- KEYS dirty      ZSET    dirty marks of the partition
-- ARGV id         topic   the topic
-- ARGV viewer     user    the viewer
-- ARGV moderator  flag    whether the viewer is a moderator
-- ARGV now        time    now
-- ARGV most       int     maximum number of tags of a topic
-- ARGV give[].id  tag     a tag to add
-- ARGV give[].name string its name
-- ARGV take[]     tag     the tags to remove
-- RETURN dirty    flag    whether the indexes may be out of date
-- RETURN topic    TopicState  state for its indexes
-- Errors   NOT_FOUND, FORBIDDEN if another user posted it, LOCKED if it is
--          deleted, TOO_LONG_TAGS
local state, author, old_tags, old_left = unpack(redis.call("HMGET", topic, "state", "author", "tags", "leftTags"))
if hidden(state, author, viewer, moderator) then
  return redis.error_reply("NOT_FOUND topicId")
end
if viewer ~= author and not moderator then
  return redis.error_reply("FORBIDDEN topicId")
end
if state ~= "OPEN" then
  return redis.error_reply("LOCKED topicId")
end

local goes, has, tags, left, changed = {}, {}, {}, old_left or "", false
for i = 1, #take do
  goes[take[i]] = true
end
for tag, name in string.gmatch(old_tags or "", "(%d+) ([^\n]+)") do
  if goes[tag] then
    -- The tag's index holds the topic until it has been written again; leftTags records that in case this
    -- process dies before.
    if not string.find(" " .. left, " " .. tag .. " ", 1, true) then
      left = left .. tag .. " "
    end
    changed = true
  else
    has[tag] = true
    tags[#tags + 1] = tag .. " " .. name
  end
end
for i = 1, #give do
  local tag = give[i].id
  if not has[tag] then
    has[tag], changed = true, true
    tags[#tags + 1] = tag .. " " .. give[i].name
  end
end
if changed and #tags > tonumber(most) then
  return redis.error_reply("TOO_LONG_TAGS add")
end
if changed then
  redis.call("HSET", topic, "tags", table.concat(tags, "\n"), "leftTags", left)
  redis.call("HSET", topic, "fan", redis.call("HINCRBY", topic, "rev", 1))
  redis.call("ZADD", dirty, "NX", now, "t:" .. id)
  redis.call("PUBLISH", topic, "t")
end
return {dirty = redis.call("ZSCORE", dirty, "t:" .. id) and 1 or 0, topic = topic_state(topic)}
