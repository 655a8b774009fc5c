-- Posts a comment: stores it, adds it to its topic and parent, and updates the counts and the topic's time
-- of last activity.
-- INCLUDE creation idempotency topic_state hidden blocks notify arm
-- KEYS topic          HASH     the topic
-- KEYS comments       ZSET     all comments of the topic
-- KEYS siblings       ZSET     the siblings: replies of the topic, or of the parent
-- KEYS dirty          ZSET     dirty marks of the partition
-- KEYS stats          HASH     site counters of the partition
-- KEYS topic_votes    HASH     votes on the topic's comments
-- KEYS authors        ZSET     authors and numbers of the topic's live comments
-- KEYS due            ZSET     due tasks of the partition
-- KEYS watchers       ZSET     users who watch the topic
-- KEYS parent?        HASH     the parent; only with a parent
-- KEYS parent_votes?  HASH     votes on the parent's replies; only with a parent
-- ARGV created        time     time of posting
-- ARGV author         user     the author
-- ARGV topic_id       topic    the topic
-- ARGV parent_id      comment  the parent, 0 for none
-- ARGV moderator      flag     whether the author is a moderator
-- ARGV day            day      day of posting
-- ARGV tasks          string   prefix of tasks of the partition; "" to notify no user, as in imports
-- ARGV lease          time     end of the caller's lease of the task that notifies
-- ARGV mentions       flag     whether other users are mentioned
-- ARGV at_once        int      how many watchers to return
-- ARGV users          string   prefix of users of the partition, to check blocks; "" for imports, which ignore blocks
-- ARGV fields[]       pair     further fields of the comment
-- RETURN new          flag     whether it was posted now; not if the key was used before with this input
-- RETURN id           comment  its id
-- RETURN number       int      its number; 0 if it was posted before
-- RETURN topic        TopicState  state for the topic's indexes
-- RETURN token        string   fencing token of the task that notifies, "0" if there is none
-- RETURN answered     user     author of the parent; 0 without one, and if it was posted before
-- RETURN watch_token  string   fencing token of the task that notifies watchers, "0" if there is none
-- RETURN watchers     strings  the first of them, and one more if there are more
-- Errors   NOT_FOUND topicId or parentId, LOCKED if the topic is deleted,
--          IDEMPOTENCY_CONFLICT, BLOCKED topicId if the topic's author has blocked the viewer,
--          who is not a moderator, EXHAUSTED
local made, conflict = made_before()
if conflict then
  return conflict
end
if made then
  return {new = 0, id = made, number = 0, topic = topic_state(topic), token = "0", answered = "0", watch_token = "0", watchers = {}}
end
local state, host, active, last_number, latest_day, day_comments, day_before = unpack(redis.call("HMGET", topic,
  "state", "author", "active", "floor", "day", "dayComments", "dayBefore"))
if hidden(state, host, author, moderator) then
  return redis.error_reply("NOT_FOUND topicId")
end
if state ~= "OPEN" then
  return redis.error_reply("LOCKED topicId")
end
if users ~= "" and not moderator and blocks(users, host, author) then
  return redis.error_reply("BLOCKED topicId")
end
local depth, answered = 0, "0"
if parent_id ~= "0" then
  local of, parent_depth, parent_author = unpack(redis.call("HMGET", parent, "topic", "depth", "author"))
  if of ~= topic_id then
    return redis.error_reply("NOT_FOUND parentId")
  end
  depth, answered = tonumber(parent_depth) + 1, parent_author
end
local id_number, id, key = new_entity()
if not id then
  return redis.error_reply("EXHAUSTED")
end

local number = tonumber(last_number) + 1
redis.call("HSET", key, "topic", topic_id, "author", author, "parent", parent_id, "depth", depth,
  "floor", number, "created", created, "replies", "0", "rev", "1", unpack(fields))
redis.call("ZADD", comments, number, id)
redis.call("ZADD", siblings, number, id)
redis.call("ZADD", authors, 0, string.format("%08x%08x", tonumber(author), number))
if parent_id ~= "0" then
  redis.call("HINCRBY", parent, "replies", 1)
end
redis.call("HSET", topic, "floor", number)
-- An import may add older comments: the time of last activity never decreases.
if tonumber(created) > tonumber(active) then
  redis.call("HSET", topic, "active", created)
end
-- Imported comments already have votes.
local up, down = unpack(redis.call("HMGET", key, "up", "down"))
if up or down then
  for _, votes in ipairs({topic_votes, parent_votes}) do
    redis.call("HSET", votes, id, (up or "0") .. " " .. (down or "0"))
  end
end
-- The comments of the latest two days are counted.
local posted, latest = tonumber(day), tonumber(latest_day or "0")
if posted > latest then
  if latest_day and posted == latest + 1 then
    redis.call("HSET", topic, "dayBefore", day_comments)
  elseif day_before then
    redis.call("HDEL", topic, "dayBefore")
  end
  redis.call("HSET", topic, "day", day, "dayComments", "1")
elseif latest_day and posted == latest then
  redis.call("HINCRBY", topic, "dayComments", 1)
elseif latest_day and posted == latest - 1 then
  redis.call("HINCRBY", topic, "dayBefore", 1)
end
redis.call("HINCRBY", topic, "comments", 1)
redis.call("HINCRBY", topic, "rev", 1)
redis.call("HINCRBY", stats, "comments", 1)
redis.call("PUBLISH", topic, "c " .. string.format("%d ", number) .. id)
redis.call("ZADD", dirty, "NX", now, "t:" .. topic_id, now, "c:" .. id)
remember(id)
local token = "0"
if tasks ~= "" and (mentions or (host ~= "0" and host ~= author) or (answered ~= "0" and answered ~= author)) then
  token = notify(key, tasks, "n:c" .. id, due, lease)
end
local watch_token, watching = "0", {}
if tasks ~= "" then
  watching = redis.call("ZRANGE", watchers, 0, at_once)
  if #watching > 0 then
    local name = "w:" .. id
    watch_token = arm(key, tasks .. name, "", "1", due, lease, name)
  end
end
return {new = 1, id = id_number, number = number, topic = topic_state(topic), token = token, answered = answered,
  watch_token = watch_token, watchers = watching}
