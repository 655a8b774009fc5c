-- Does what a moderator wants with a comment, and records it.
-- INCLUDE changed topic_state rights role rank verdict arm notify comment_state comment_changed count_comment post_comment notify_of_comment
-- INCLUDE keep_recipients creation act case_state text evidence all_posts
-- KEYS comment         HASH     the comment
-- KEYS topic           HASH     its topic
-- KEYS comments        ZSET     all comments of the topic
-- KEYS siblings        ZSET     the siblings: replies of the topic, or of the parent
-- KEYS authors         ZSET     authors and numbers of the topic's live comments
-- KEYS tombstones      ZSET     deleted and hidden comments of the topic
-- KEYS topic_votes     HASH     votes on the topic's comments
-- KEYS stats           HASH     site counters of the partition
-- KEYS due             ZSET     due tasks of the partition
-- KEYS watchers        ZSET     users who watch the topic
-- KEYS watch_task      HASH     the task that notifies them
-- KEYS case            HASH     the reports on it
-- KEYS waiting         ZSET     the topic's comments that are held
-- KEYS parent?         HASH     the parent; only with a parent
-- KEYS parent_votes?   HASH     votes on the parent's replies; only with a parent
-- ARGV id              comment  the comment
-- ARGV viewer          user     the moderator
-- ARGV author_role     string   role of the comment's author; "" if there is no such account
-- ARGV author_moderates string  ids of the categories that the author moderates
-- ARGV action          string   LOCK, UNLOCK, HIDE or RESTORE
-- ARGV day             day      day of the comment's posting
-- ARGV hidden_since    time     what was hidden before can no longer be restored
-- ARGV lease           time     end of the caller's lease of tasks
-- ARGV watch_name      string   name of the task that notifies watchers
-- ARGV tasks           string   prefix of tasks of the partition
-- ARGV at_once         int      how many watchers to return
-- RETURN changed       flag     whether anything changed
-- RETURN act           string   id of the act, or of that in force if nothing changed; "0" if there is none
-- RETURN kind          string   kind of the act
-- RETURN reverses      string   id of the act that it ends, "0" for none
-- RETURN topic         TopicState  state for the topic's indexes
-- RETURN comment       CommentState  its state
-- RETURN number        int      its number, if it is listed now and was not before; otherwise 0
-- RETURN mentions      string   its mentions
-- RETURN token         string   fencing token of the task that notifies, "0" if there is none
-- RETURN answered      user     author of the parent; 0 without one
-- RETURN watch_token   string   fencing token of the task that notifies watchers, "0" if there is none
-- RETURN case          CaseState  the reports on it
-- RETURN watching      strings  the first of them, and one more if there are more
-- Errors   NOT_FOUND, also of one that was hidden too long ago, FORBIDDEN, SELF, LOCKED if one that is held is to be
--          approved while its topic is not listed, EXHAUSTED
local author, deleted, own_state, hid, created, mentions = unpack(redis.call("HMGET", comment,
  "author", "deleted", "state", "hidden", "created", "mentions"))
local locked = redis.call("HGET", internal(comment), "locked")
local state, topic_author, category = unpack(redis.call("HMGET", topic, "state", "author", "category"))
local moderates_it = moderates_topic(category)
if not author or deleted or state == "DELETED" or hidden(state, topic_author, viewer, category) or
  (own_state == "HELD" and viewer ~= author and not moderates_it) then
  return redis.error_reply("NOT_FOUND subjectId")
end
local no = refused(moderates_it, viewer, author, outranks(author_role, author_moderates, category), false)
if no then
  return no
end
local is_held, is_hidden = own_state == "HELD", hid ~= false
if action == "RESTORE" and is_hidden and tonumber(hid) < tonumber(hidden_since) then
  return redis.error_reply("NOT_FOUND subjectId")
end
if action == "RESTORE" and is_held and not listed(state) then
  return redis.error_reply("LOCKED subjectId")
end

local is_locked = own_state == "LOCKED" or locked == "1"
local done = ({LOCK = is_locked, UNLOCK = not is_locked, HIDE = is_hidden, RESTORE = not is_hidden and not is_held})[action]
local field = (action == "LOCK" or action == "UNLOCK") and "lockAct" or "hideAct"
local last = redis.call("HGET", internal(comment), field)
local function result(done_now, act, kind, reverses, posted)
  return {changed = done_now, act = act, kind = kind, reverses = reverses, topic = topic_state(topic), comment = comment_state(comment), number = posted.number or 0,
    mentions = mentions or "", token = posted.token or "0", answered = posted.answered or "0",
    watch_token = posted.watch_token or "0", watching = posted.watching or {}, case = case_state(case)}
end
if posts_act ~= "0" then
  done = passes(comment, last) or done
end
if done then
  return result(0, last or "0", action, "0", {})
end
local act, act_key, _ = posts_act, nil, nil
if act == "0" then
  _, act, act_key = new_entity()
end
if not act then
  return redis.error_reply("EXHAUSTED")
end
local what = action == "RESTORE" and is_held and "APPROVE" or action
local ends = action == "UNLOCK" or action == "RESTORE"
local reversed = act_key and record_act(act, act_key, what, "c" .. id, author, "", ends and last or nil) or "0"
redis.call("HSET", internal(comment), field, act)
if action == "HIDE" or action == "LOCK" then
  keep_evidence(comment, "c" .. id, action, act_at)
end

local posted = {}
if action == "HIDE" or action == "RESTORE" then
  case_release(case, "c" .. id, act_at)
end
local at = {now = act_at, topic = topic, parent = parent, stats = stats, authors = authors, tombstones = tombstones, comments = comments,
  siblings = siblings, topic_votes = topic_votes, parent_votes = parent_votes}
local number = redis.call("HGET", comment, "floor")
if action == "LOCK" or action == "UNLOCK" then
  local of, field_now, value = comment, "state", "LOCKED"
  if is_held or is_hidden then
    of, field_now, value = internal(comment), "locked", "1"
  end
  if action == "LOCK" then
    redis.call("HSET", of, field_now, value)
  else
    redis.call("HDEL", of, field_now)
  end
  if of == comment then
    comment_changed(topic, id, number, false)
    changed(nil, comment, "LOCKED", topic, "COMMENT")
  end
elseif action == "HIDE" then
  redis.call("HSET", comment, "hidden", act_at)
  redis.call("ZADD", hidden_items, act_at, "c:" .. id)
  if is_held then
    changed(nil, comment, "HELD")
  else
    local answered = parent and redis.call("HGET", parent, "author")
    keep_recipients(comment, topic_author .. " " .. (answered and answered .. " " or ""))
    redis.call("HSET", comment, "state", "HIDDEN")
    if is_locked then
      redis.call("HSET", internal(comment), "locked", "1")
    end
    count_comment(at, comment, id, day, -1)
    comment_changed(topic, id, number, true)
    if redis.call("EXISTS", watchers) == 1 then -- what notified them is marked as read
      arm(comment, watch_task, "", "0", due, act_at, watch_name)
    end
    changed(act_at, comment, "STATE", topic, "COMMENT")
  end
else
  redis.call("HDEL", comment, "hidden")
  redis.call("HDEL", internal(comment), "locked")
  redis.call("ZREM", hidden_items, "c:" .. id)
  if is_locked then
    redis.call("HSET", comment, "state", "LOCKED")
  else
    redis.call("HDEL", comment, "state")
  end
  if is_held then
    redis.call("ZREM", waiting, id)
    redis.call("HINCRBY", internal(comment), "rev", 1)
    local topic_fields, comment_count, last_number = topic_state(topic), redis.call("HGET", topic, "comments"), redis.call("HGET", internal(topic), "floor")
    posted.number = tonumber(last_number) + 1
    redis.call("HSET", comment, "floor", posted.number)
    post_comment(at, topic_fields, comment_count, comment, id, posted.number, author, created, day, "STATE")
    posted.answered = parent and redis.call("HGET", parent, "author") or "0"
    local others = concerns_others(author, topic_author, posted.answered, (mentions or "") ~= "")
    if others then
      redis.call("HSET", internal(comment), "tell", "all", "armed", "1")
    end
    posted.token, posted.watch_token, posted.watching = notify_of_comment(comment, id, {others = others, tasks = tasks,
      due = due, lease = lease, watchers = watchers, at_once = at_once})
  else
    count_comment(at, comment, id, day, 1)
    comment_changed(topic, id, number, false)
    if redis.call("EXISTS", watchers) == 1 then -- what was withheld from them is given back
      arm(comment, watch_task, "", "0", due, act_at, watch_name)
    end
    changed(act_at, comment, "STATE", topic, "COMMENT")
  end
end
return result(1, act, what, reversed, posted)
