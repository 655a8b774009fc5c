-- Turns a comment into a tombstone: its text is removed, its position and replies stay.
-- INCLUDE changed topic_state rights despite_full comment_changed arm count_comment keep_recipients erase_comment case_state text evidence keep_deleted
-- KEYS comment    HASH     the comment
-- KEYS topic      HASH     its topic
-- KEYS dirty      ZSET     dirty marks of the partition
-- KEYS stats      HASH     site counters of the partition
-- KEYS authors    ZSET     authors and numbers of the topic's live comments
-- KEYS tombstones ZSET     deleted and hidden comments of the topic
-- KEYS watchers   ZSET     users who watch the topic
-- KEYS due        ZSET     due tasks of the partition
-- KEYS watch_task HASH     the task that notifies them
-- KEYS revisions  ZSET     its kept revisions
-- KEYS texts      HASH     their texts
-- KEYS case       HASH     the reports on it
-- KEYS waiting    ZSET     the topic's comments that are held
-- KEYS parent?    HASH     the parent; only with a parent
-- ARGV id         comment  the comment
-- ARGV viewer     user     the viewer; "0" for the end of the time for which a hidden comment is kept, and of the topic of
--                           one that is held
-- ARGV now        time     now
-- ARGV hidden_before time  of a hidden comment: it was hidden before
-- ARGV watch_name string   name of that task
-- ARGV day        day      day of the comment's posting
-- RETURN rev      int      revision of the comment
-- RETURN author   user     its author
-- RETURN created  time     when it was posted
-- RETURN topic    TopicState  state for the topic's indexes
-- RETURN voted    flag     whether anyone ever voted on it
-- RETURN votes    int      revision of the votes
-- RETURN notified string   ids of users who may have been notified of it
-- Errors   NOT_FOUND, FORBIDDEN if another user wrote it
local author, deleted, number, own_state, hid = unpack(redis.call("HMGET", comment,
  "author", "deleted", "floor", "state", "hidden"))
local state, topic_author, category = unpack(redis.call("HMGET", topic, "state", "author", "category"))
local moderates_it = moderates_topic(category)
if viewer == "0" then
  local lost = own_state == "HELD" and state == "DELETED"
  if deleted or not lost and (not hid or tonumber(hid) >= tonumber(hidden_before)) then
    redis.call("ZREM", hidden_items, deleted and "c:" .. id or "")
    return redis.error_reply("NOT_FOUND commentId")
  end
elseif not author or hidden(state, topic_author, viewer, category) or
  (own_state == "HELD" and viewer ~= author and not moderates_it) then
  return redis.error_reply("NOT_FOUND commentId")
elseif viewer ~= author then
  return redis.error_reply("FORBIDDEN commentId")
end

if not deleted then
  despite_full(dirty)
  if viewer ~= "0" then
    keep_deleted(comment, "c" .. id, case_open(case) or own_state == "HIDDEN" or own_state == "LOCKED" or hid, now)
  end
  erase_comment(comment, parent, topic_author, now)
  redis.call("DEL", revisions, texts)
  redis.call("ZREM", waiting, id)
  if own_state ~= "HELD" then
    if own_state ~= "HIDDEN" then
      count_comment({now = now, topic = topic, stats = stats, authors = authors, tombstones = tombstones, parent = parent},
        comment, id, day, -1)
    end
    comment_changed(topic, id, number, true)
    if redis.call("EXISTS", watchers) == 1 then -- what notified them is marked as read
      arm(comment, watch_task, "", "0", due, now, watch_name)
    end
  end
  changed(now, comment, "DELETED", own_state ~= "HELD" and topic, "COMMENT")
  redis.call("ZREM", hidden_items, "c:" .. id)
  case_release(case, "c" .. id, now)
end
local created, up, down = unpack(redis.call("HMGET", comment, "created", "up", "down"))
local rev, notified, pending, votes = unpack(redis.call("HMGET", internal(comment), "rev", "told", "tell", "votes"))
return {rev = rev, author = author, created = created, voted = (up or down) and 1 or 0, votes = votes or "0", topic = topic_state(topic), notified = (notified or "") .. " " .. (pending or "")}
