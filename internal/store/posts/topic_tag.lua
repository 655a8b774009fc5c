-- Adds and removes tags of a topic.
-- INCLUDE changed topic_state rights role rank creation act
-- KEYS topic      HASH    the topic
-- KEYS dirty      ZSET    dirty marks of the partition
-- ARGV id         topic   the topic
-- ARGV viewer     user    the viewer
-- ARGV users      string  prefix of users of the partition: the author is one of them
-- ARGV most       int     maximum number of tags of a topic
-- ARGV give[].id  tag     a tag to add
-- ARGV give[].name string its name
-- ARGV take[]     tag     the tags to remove
-- RETURN dirty    flag    whether the indexes may be out of date
-- RETURN topic    TopicState  state for its indexes
-- RETURN act      string  id of the act, "0" if the author did it or nothing changed
-- Errors   NOT_FOUND, FORBIDDEN if another user posted it whom the viewer does not outrank, INVALID without a reason to
--          change another user's topic, LOCKED if it is not open, or is locked and the viewer does not moderate it,
--          TOO_LONG_TAGS, EXHAUSTED
local state, author, category, old_tags = unpack(redis.call("HMGET", topic, "state", "author", "category", "tags"))
local old_left = redis.call("HGET", internal(topic), "leftTags")
local moderates_it = moderates_topic(category)
if hidden(state, author, viewer, category) then
  return redis.error_reply("NOT_FOUND topicId")
end
if viewer ~= author and not (moderates_it and outranks_user(users .. author, category)) then
  return redis.error_reply("FORBIDDEN topicId")
end
if state ~= "OPEN" and not (state == "LOCKED" and moderates_it) then
  return redis.error_reply("LOCKED topicId")
end
if viewer ~= author and act_reason == "" then
  return redis.error_reply("INVALID reason")
end

local goes, has, tags, left, detail, said = {}, {}, {}, old_left or "", "", "TAGS"
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
    detail, said = detail .. "-" .. name .. "\n", said .. ":" .. tag
  else
    has[tag] = true
    tags[#tags + 1] = tag .. " " .. name
  end
end
for i = 1, #give do
  local tag = give[i].id
  if not has[tag] then
    has[tag], detail = true, detail .. "+" .. give[i].name .. "\n"
    tags[#tags + 1] = tag .. " " .. give[i].name
  end
end
if detail ~= "" and #tags > tonumber(most) then
  return redis.error_reply("TOO_LONG_TAGS add")
end
local act, act_key = "0", nil
if detail ~= "" then
  if viewer ~= author then
    local _
    _, act, act_key = new_entity()
    if not act then
      return redis.error_reply("EXHAUSTED")
    end
    record_act(act, act_key, "TAG", "t" .. id, author, string.sub(detail, 1, -2))
  end
  redis.call("HSET", topic, "tags", table.concat(tags, "\n"))
  redis.call("HSET", internal(topic), "leftTags", left, "fan", redis.call("HINCRBY", internal(topic), "rev", 1))
  changed(act_at, topic, said)
end
return {dirty = redis.call("ZSCORE", dirty, "t:" .. id) and 1 or 0, topic = topic_state(topic), act = act}
