-- Does what a moderator wants with a topic, and records it.
-- INCLUDE changed topic_state rights role rank verdict event karma count_topic comment_state raise_comments arm keep_recipients creation act move_topic case_state text evidence
-- INCLUDE all_posts
-- KEYS topic     HASH    the topic
-- KEYS due       ZSET    due tasks of the partition
-- KEYS task      HASH    the task that follows: its comments leave the lists of their authors, or return there
-- KEYS case      HASH    the reports on it
-- ARGV id        topic   the topic
-- ARGV viewer    user    the moderator
-- ARGV action    string  LOCK, UNLOCK, HIDE, RESTORE, PIN, UNPIN or MOVE
-- ARGV place     string  where to pin it, FRONT or CATEGORY; "" unless it is to be pinned, or no longer
-- ARGV category  string  id of the category to which it moves; "" unless it does
-- ARGV hidden_since time what was hidden before can no longer be restored
-- ARGV lease     time    end of the caller's lease of tasks
-- ARGV task_name string  name of the task
-- ARGV tasks     string  prefix of tasks of the partition
-- RETURN changed flag    whether anything changed
-- RETURN act     string  id of the act, or of that in force if nothing changed; "0" if there is none
-- RETURN kind    string  kind of the act
-- RETURN detail  string  what else it says
-- RETURN reverses string id of the act that it ends, "0" for none
-- RETURN token   string  fencing token of the task, "0" if there is none
-- RETURN tell    string  fencing token of the task that notifies mentioned users, "0" if there is none
-- RETURN topic   TopicState  state for its indexes
-- RETURN states  strings of its first comments; see raise_comments
-- RETURN case    CaseState  the reports on it
-- Errors   NOT_FOUND, also of one that was hidden too long ago, FORBIDDEN, SELF, INVALID of a move that is none, LOCKED if
--          one that is not listed is to be pinned, EXHAUSTED
local state, author, old_category, kind, hid, mentions = unpack(redis.call("HMGET", topic,
  "state", "author", "category", "kind", "hidden", "mentions"))
local left, locked, held = unpack(redis.call("HMGET", internal(topic), "left", "locked", "held"))
local moderates_it = moderates_topic(old_category)
if state == "DELETED" or hidden(state, author, viewer, old_category) then
  return redis.error_reply("NOT_FOUND subjectId")
end
local pins = action == "PIN" or action == "UNPIN"
local no = refused(moderates_it, viewer, author, outranks_user(users .. author, old_category), pins)
if no then
  return no
end
if action == "RESTORE" and state == "HIDDEN" and tonumber(hid) < tonumber(hidden_since) then
  return redis.error_reply("NOT_FOUND subjectId")
end
if action == "PIN" and not listed(state) then
  return redis.error_reply("LOCKED subjectId")
end
if action == "MOVE" and kind == "STATUS" then
  return redis.error_reply("INVALID category")
end

-- The fields that name the latest acts, and that are set while they are in force.
local pin = place == "FRONT" and "pinFront" or "pinCategory"
local field = ({LOCK = "lockAct", UNLOCK = "lockAct", HIDE = "hideAct", RESTORE = "hideAct", MOVE = "moveAct"})[action]
  or pin .. "Act"
local is_locked = state == "LOCKED" or locked == "1"
local is_pinned = redis.call("HEXISTS", internal(topic), pin) == 1
local done = ({LOCK = is_locked, UNLOCK = not is_locked, HIDE = state == "HIDDEN", RESTORE = listed(state),
  PIN = is_pinned, UNPIN = not is_pinned, MOVE = category == old_category})[action]
local last = redis.call("HGET", internal(topic), field)
if posts_act ~= "0" then
  done = passes(topic, last) or done
end
if done then
  return {changed = 0, act = last or "0", kind = action, detail = "", reverses = "0", token = "0", tell = "0",
    topic = topic_state(topic), states = {}, case = case_state(case)}
end
local act, act_key, _ = posts_act, nil, nil
if act == "0" then
  _, act, act_key = new_entity()
end
if not act then
  return redis.error_reply("EXHAUSTED")
end
local what = action == "RESTORE" and (state == "HELD" or held) and "APPROVE" or action
local detail = pins and place or (action == "MOVE" and old_category .. " " .. category or "")
local ends = action == "UNLOCK" or action == "RESTORE" or action == "UNPIN"
local reversed = act_key and record_act(act, act_key, what, "t" .. id, author, detail, ends and last or nil) or "0"
redis.call("HSET", internal(topic), field, act)
if action == "HIDE" or action == "LOCK" then
  keep_evidence(topic, "t" .. id, action, act_at)
end

local token, tell, states = "0", "0", {}
if action == "LOCK" or action == "UNLOCK" then
  if listed(state) then
    redis.call("HSET", topic, "state", action == "LOCK" and "LOCKED" or "OPEN")
  elseif action == "LOCK" then
    redis.call("HSET", internal(topic), "locked", "1")
  else
    redis.call("HDEL", internal(topic), "locked")
  end
elseif pins then
  if action == "PIN" then
    redis.call("HSET", internal(topic), pin, act_at)
  else
    redis.call("HDEL", internal(topic), pin)
  end
  redis.call("HINCRBY", internal(topic), "rev", 1)
elseif action == "MOVE" then
  move_topic(topic, id, old_category, category, left)
  case_moved(case, "t" .. id, category, act_at)
else
  local rev = redis.call("HINCRBY", internal(topic), "rev", 1)
  if action == "HIDE" then
    redis.call("HSET", topic, "state", "HIDDEN", "hidden", act_at)
    if state == "LOCKED" then
      redis.call("HSET", internal(topic), "locked", "1")
    elseif state == "HELD" then
      redis.call("HSET", internal(topic), "held", "1")
    end
    redis.call("ZADD", hidden_items, act_at, "t:" .. id)
    keep_recipients(topic, "")
    if public(topic, state) then
      redis.call("HSET", internal(topic), "fan", rev)
      count_topic(topic, -1)
    end
  else
    redis.call("HSET", topic, "state", locked == "1" and "LOCKED" or "OPEN")
    redis.call("HDEL", topic, "hidden")
    redis.call("HDEL", internal(topic), "locked", "held")
    redis.call("ZREM", hidden_items, "t:" .. id)
    if public(topic, "OPEN") then
      redis.call("HSET", internal(topic), "fan", rev)
      count_topic(topic, 1)
    end
    if what == "APPROVE" and (mentions or "") ~= "" then
      redis.call("HSET", internal(topic), "tell", "all")
      tell = arm(topic, tasks .. "n:t" .. id, "", "1", due, lease, "n:t" .. id)
    end
  end
  case_release(case, "t" .. id, act_at)
  states = raise_comments("")
  if #states > 0 or what ~= "APPROVE" then
    token = arm(topic, task, "", "1", due, lease, task_name)
  end
end
local word = ({LOCK = "LOCKED", UNLOCK = "LOCKED", PIN = "PINS", UNPIN = "PINS", MOVE = "CATEGORY"})[action] or "STATE"
if word ~= "LOCKED" or listed(state) then
  changed(act_at, topic, word)
end
return {changed = 1, act = act, kind = what, detail = detail, reverses = reversed, token = token, tell = tell,
  topic = topic_state(topic), states = states, case = case_state(case)}
