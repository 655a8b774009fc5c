-- Posts a comment: stores it, adds it to its topic and parent, and updates the counts and the topic's time
-- of last activity.
-- INCLUDE changed set_text creation idempotency topic_state rights may_reply blocks notify arm post_comment notify_of_comment case_state
-- KEYS topic          HASH     the topic
-- KEYS comments       ZSET     all comments of the topic
-- KEYS siblings       ZSET     the siblings: replies of the topic, or of the parent
-- KEYS stats          HASH     site counters of the partition
-- KEYS topic_votes    HASH     votes on the topic's comments
-- KEYS authors        ZSET     authors and numbers of the topic's live comments
-- KEYS due            ZSET     due tasks of the partition
-- KEYS watchers       ZSET     users who watch the topic
-- KEYS waiting        ZSET     the topic's comments that are held
-- KEYS parent?        HASH     the parent; only with a parent
-- KEYS parent_votes?  HASH     votes on the parent's replies; only with a parent
-- ARGV created        time     time of posting
-- ARGV author         user     the author
-- ARGV topic_id       topic    the topic
-- ARGV parent_id      comment  the parent, 0 for none
-- ARGV held           flag     whether it waits for a moderator: it then has no number, and no list has it
-- ARGV voted          flag     whether the fields have imported counts of votes
-- ARGV day            day      day of posting
-- ARGV tasks          string   prefix of tasks of the partition; "" to notify no user, as in imports
-- ARGV lease          time     end of the caller's lease of the task that notifies
-- ARGV mentions       flag     whether other users are mentioned
-- ARGV at_once        int      how many watchers to return
-- ARGV users          string   prefix of users of the partition, to check blocks; "" for imports, which ignore blocks
-- ARGV content        string   its text
-- ARGV internals[]    pair     further fields of its internal hash
-- ARGV fields[]       pair     further fields of the comment
-- RETURN new          flag     whether it was posted now; not if the key was used before with this input
-- RETURN id           comment  its id
-- RETURN number       int      its number; 0 if it was posted before, or is held
-- RETURN topic        TopicState  state for the topic's indexes
-- RETURN fresh       flag     whether no other change of the topic was still to be indexed
-- RETURN token        string   fencing token of the task that notifies, "0" if there is none
-- RETURN answered     user     author of the parent; 0 without one, and if it was posted before
-- RETURN watch_token  string   fencing token of the task that notifies watchers, "0" if there is none
-- RETURN watchers     strings  the first of them, and one more if there are more
-- Errors   NOT_FOUND topicId or parentId, CLOSED with the role that may reply, LOCKED if the topic or parent is locked or hidden, or the parent deleted, but an
--          import adds to a locked topic and to a deleted parent,
--          IDEMPOTENCY_CONFLICT, BLOCKED topicId if the topic's author has blocked the viewer,
--          who is not a moderator, EXHAUSTED
local made, conflict = made_before()
if conflict then
  return conflict
end
if made then
  return {new = 0, id = made, number = 0, topic = topic_state(topic), fresh = 0, token = "0", answered = "0", watch_token = "0", watchers = {}}
end
local topic_fields, comment_count, last_number = topic_state(topic), redis.call("HGET", topic, "comments"), redis.call("HGET", internal(topic), "floor")
local state, topic_author, category = place_of(topic_fields)
local moderates_it = moderates_topic(category)
if hidden(state, topic_author, author, category) then
  return redis.error_reply("NOT_FOUND topicId")
end
if state ~= "OPEN" and not (state == "LOCKED" and (moderates_it or users == "")) then
  return redis.error_reply("LOCKED topicId")
end
local refused = closed_replies(category, "topicId")
if refused then
  return refused
end
if users ~= "" and not moderates_it and blocks(users, topic_author, author) then
  return redis.error_reply("BLOCKED topicId")
end
local depth, answered = 0, "0"
if parent_id ~= "0" then
  local of, parent_depth, parent_author, parent_state, deleted = unpack(redis.call("HMGET", parent,
    "topic", "depth", "author", "state", "deleted"))
  if of ~= topic_id or parent_state == "HELD" then
    return redis.error_reply("NOT_FOUND parentId")
  end
  -- An import adds what was said elsewhere, before or after the comment was deleted here.
  if (deleted and users ~= "") or (parent_state and not moderates_it) then
    return redis.error_reply("LOCKED parentId")
  end
  depth, answered = tonumber(parent_depth) + 1, parent_author
end
local id_number, id, key = new_entity()
if not id then
  return redis.error_reply("EXHAUSTED")
end

local number = held and 0 or tonumber(last_number) + 1
local others = tasks ~= "" and not held and concerns_others(author, topic_author, answered, mentions)
redis.call("HSET", key, "topic", topic_id, "author", author, "parent", parent_id, "depth", depth, "floor", number,
  "created", created, "replies", "0", unpack(fields))
set_text(key, "1", content)
redis.call("HSET", internal(key), "rev", "1")
for i = 1, #internals do
  redis.call("HSET", internal(key), internals[i].name, internals[i].value)
end
if others then
  redis.call("HSET", internal(key), "tell", "all", "armed", "1")
end
remember(id)
if held then
  redis.call("HSET", key, "state", "HELD")
  redis.call("ZADD", waiting, created, id)
  changed(nil, key, "HELD")
  case_hold(key .. ":case", "c" .. id, author, category, topic_id, now)
  return {new = 1, id = id_number, number = 0, topic = topic_fields, fresh = 0, token = "0", answered = "0", watch_token = "0", watchers = {}}
end
local marks = post_comment({now = now, topic = topic, parent = parent, stats = stats, authors = authors, comments = comments,
  siblings = siblings, topic_votes = topic_votes, parent_votes = parent_votes}, topic_fields, comment_count, key, id, number, author, created, day, "CREATED", voted)
local token, watch_token, watching = "0", "0", {}
if tasks ~= "" then
  token, watch_token, watching = notify_of_comment(key, id, {others = others, tasks = tasks, due = due, lease = lease,
    watchers = watchers, at_once = at_once})
end
return {new = 1, id = id_number, number = number, topic = topic_fields, fresh = marks == 2 and 1 or 0, token = token,
  answered = answered, watch_token = watch_token, watchers = watching}
