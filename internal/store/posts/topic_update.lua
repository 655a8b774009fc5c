-- Edits a topic.
-- INCLUDE changed text set_text topic_state rights role rank arm notify_mentioned keep_recipients creation act move_topic evidence revise case_state
-- KEYS topic     HASH    the topic
-- KEYS due       ZSET    due tasks of the partition
-- KEYS task      HASH    the task that notifies mentioned users
-- ARGV id        topic   the topic
-- ARGV viewer    user    the viewer
-- ARGV category  string  id of the new category, "" to leave it unchanged
-- ARGV lease     time    end of the caller's lease of the task
-- ARGV task_name string  name of the task
-- ARGV users     string  prefix of users of the partition: the author is one of them
-- ARGV text      flag    whether the text changes, which only the author may do
-- ARGV fields[]  pair    fields to change
-- RETURN topic   TopicState  state for its indexes
-- RETURN token   string  the task's fencing token, "0" if no user must be notified
-- RETURN act     string  id of the act, "0" if the author did it or nothing changed
-- Errors   STALE with the number of the present revision if another one was expected, RETRY if another one was read
--          before, NOT_FOUND, FORBIDDEN if another user posted it whom the viewer does not outrank, or of the text of another,
--          INVALID without a reason to change another user's topic, LOCKED if it is not open, or is locked and the
--          viewer does not moderate it, EXHAUSTED
local state, author, old_category, mentioned = unpack(redis.call("HMGET", topic, "state", "author", "category", "mentions"))
local moderates_it = moderates_topic(old_category)
if hidden(state, author, viewer, old_category) then
  return redis.error_reply("NOT_FOUND topicId")
end
if viewer ~= author and not (moderates_it and outranks_user(users .. author, old_category)) then
  return redis.error_reply("FORBIDDEN topicId")
end
if viewer ~= author and text then
  return redis.error_reply("FORBIDDEN content")
end
if state ~= "OPEN" and not (state == "LOCKED" and moderates_it) then
  return redis.error_reply("LOCKED topicId")
end
if viewer ~= author and act_reason == "" then
  return redis.error_reply("INVALID reason")
end

local stale = outdated(topic)
if stale then
  return stale
end
local names, fresh, was, becomes, text_now = {}, {}, {}, {}, nil
for i = 1, #fields do
  local name = fields[i].name
  local old = name == "content" and text_of(topic) or redis.call("HGET", topic, name) or ""
  if old ~= fields[i].value then
    was[name], becomes[name] = old, fields[i].value
    names[#names + 1] = name
    if name == "content" then
      text_now = fields[i].value
    else
      fresh[#fresh + 1] = name
      fresh[#fresh + 1] = fields[i].value
    end
  end
end
local moves = category ~= "" and category ~= old_category
local act, act_key, detail = "0", nil, moves and old_category .. " " .. category or table.concat(names, " ")
if viewer ~= author and detail ~= "" then
  local _
  _, act, act_key = new_entity()
  if not act then
    return redis.error_reply("EXHAUSTED")
  end
  record_act(act, act_key, moves and "MOVE" or "EDIT", "t" .. id, author,
    moves and detail or cjson.encode({before = was, after = becomes}))
end
local revision = #names > 0 and revise(topic, "t" .. id, viewer, act_at)
if #fresh > 0 then
  keep_recipients(topic, "")
  redis.call("HSET", topic, unpack(fresh))
end
if revision then
  if text_now or redis.call("HEXISTS", topic, "long") == 1 then
    set_text(topic, revision, text_now or text_of(topic))
  end
end
if moves then
  move_topic(topic, id, old_category, category, redis.call("HGET", internal(topic), "left"))
  case_moved(case, "t" .. id, category, act_at)
end
if detail ~= "" then
  redis.call("HSET", topic, "edited", act_at)
  changed(act_at, topic, "TEXT", moves and topic, "CATEGORY")
end
local token = notify_mentioned(topic, author, mentioned, task, due, lease, task_name)
return {topic = topic_state(topic), token = token, act = act}
