-- Turns a comment into a tombstone: its text is removed, its position and replies stay.
-- INCLUDE topic_state hidden despite_full comment_changed arm
-- KEYS comment    HASH     the comment
-- KEYS topic      HASH     its topic
-- KEYS dirty      ZSET     dirty marks of the partition
-- KEYS stats      HASH     site counters of the partition
-- KEYS authors    ZSET     authors and numbers of the topic's live comments
-- KEYS tombstones ZSET     deleted comments of the topic
-- KEYS watchers   ZSET     users who watch the topic
-- KEYS due        ZSET     due tasks of the partition
-- KEYS watch_task HASH     the task that notifies them
-- KEYS parent?    HASH     the parent; only with a parent
-- ARGV id         comment  the comment
-- ARGV viewer     user     the viewer
-- ARGV moderator  flag     whether the viewer is a moderator
-- ARGV now        time     now
-- ARGV watch_name string   name of that task
-- ARGV topic_id   topic    the topic
-- ARGV day        day      day of the comment's posting
-- RETURN rev      int      revision of the comment
-- RETURN author   user     its author
-- RETURN created  time     when it was posted
-- RETURN topic    TopicState  state for the topic's indexes
-- RETURN voted    flag     whether anyone ever voted on it
-- RETURN votes    int      revision of the votes
-- RETURN notified string   ids of users who may have been notified of it
-- Errors   NOT_FOUND, FORBIDDEN if another user wrote it
local author, deleted, parent_id, number, pending, mentions = unpack(redis.call("HMGET", comment,
  "author", "deleted", "parent", "floor", "tell", "mentions"))
local state, host, latest_day = unpack(redis.call("HMGET", topic, "state", "author", "day"))
if not author or hidden(state, host, viewer, moderator) then
  return redis.error_reply("NOT_FOUND commentId")
end
if viewer ~= author and not moderator then
  return redis.error_reply("FORBIDDEN commentId")
end

if not deleted then
  despite_full(dirty)
  -- The author stays in the hash, for moderators' records and for repeated calls; readers see the ghost.
  redis.call("HSET", comment, "deleted", now, "content", "")
  redis.call("HDEL", comment, "mentions")
  if pending == "all" then -- perhaps they were notified, or are being notified: the task marks that as read
    local all = host .. " "
    if parent_id ~= "0" then
      all = all .. (redis.call("HGET", parent, "author") or "0") .. " "
    end
    for user in string.gmatch(mentions or "", ":(%d+)") do
      all = all .. user .. " "
    end
    redis.call("HSET", comment, "tell", all)
  end
  redis.call("HINCRBY", comment, "rev", 1)
  redis.call("ZREM", authors, string.format("%08x%08x", tonumber(author), tonumber(number)))
  redis.call("ZADD", tombstones, number, id)
  if parent_id ~= "0" then
    redis.call("HINCRBY", parent, "replies", -1)
  end
  redis.call("HINCRBY", topic, "comments", -1)
  if latest_day == day then
    redis.call("HINCRBY", topic, "dayComments", -1)
  elseif latest_day and tonumber(latest_day) == tonumber(day) + 1 then
    redis.call("HINCRBY", topic, "dayBefore", -1)
  end
  redis.call("HINCRBY", topic, "rev", 1)
  -- A deleted topic already subtracted its comments from the site's count.
  if state ~= "DELETED" then
    redis.call("HINCRBY", stats, "comments", -1)
  end
  redis.call("ZADD", dirty, "NX", now, "c:" .. id, now, "t:" .. topic_id)
  redis.call("PUBLISH", topic, "t")
  comment_changed(topic, id, number, true)
  if redis.call("EXISTS", watchers) == 1 then -- what notified them is marked as read
    arm(comment, watch_task, "", "0", due, now, watch_name)
  end
end
local rev, created, notified, pending, up, down, votes = unpack(redis.call("HMGET", comment,
  "rev", "created", "told", "tell", "up", "down", "votes"))
return {rev = rev, author = author, created = created, voted = (up or down) and 1 or 0, votes = votes or "0", topic = topic_state(topic), notified = (notified or "") .. " " .. (pending or "")}
