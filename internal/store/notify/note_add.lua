-- Adds a notification for a user, once, and deletes the oldest ones beyond the limit. One that was withheld is unread again:
-- the caller has seen that its subject is there.
-- INCLUDE changed row note_reads withhold
-- KEYS user     HASH    the user
-- KEYS numbers  ZSET    numbers of the user's notifications
-- KEYS unread   ZSET    those of them that were not marked as read
-- KEYS notes    HASH    their contents by number, and their numbers by subject
-- KEYS blocked  ZSET    users that the user has blocked
-- KEYS blockers ZSET    users who have blocked the user
-- KEYS marks?   HASH    how far the user has read, by name; only of a comment or follower
-- KEYS sources? ZSET    topics that the user watches; of a follower, who follows the user
-- ARGV subject  string  subject: "c", "t", "f" or "m" for a comment, topic, follower or act of a moderator, and its id
-- ARGV reason   string  reason; that of WATCH is followed by a colon and the topic
-- ARGV actor    user    id of the user who caused it
-- ARGV created  time    when it was caused
-- ARGV most     int     maximum number of notifications
-- ARGV now      time    now
-- ARGV comment_rev int  revision of the comment that the caller has seen there; 0 if it was just posted, or is none
-- ARGV topic_rev   int  revision of its topic, or of the topic; 0 if it was just posted
-- ARGV mark?    string  name of the mark of the comment's topic; only of a comment that was just posted
-- ARGV number?  int     its number: the user has read it already if the mark is there or further
-- Returns  1 if it was added, 2 if the user already had it; 0 if the user is not active, is
--          in a block with the actor, unless it is an act of a moderator, did not watch the topic yet or does not any more, is not followed any more, or if later ones have already been deleted
if redis.call("HGET", user, "state") ~= "ACTIVE" then
  return 0
end
if reason == "FOLLOW" and not redis.call("ZSCORE", sources, actor) then
  return 0
end
local there = {why = 0, comment = tonumber(comment_rev), topic = tonumber(topic_rev)}
local known = redis.call("HGET", notes, subject)
if known then
  withhold(user, unread, notes, {[known] = there}, now)
  return 2
end
local account = internal(user)
if tonumber(created) <= tonumber(redis.call("HGET", account, "noteFloor") or "0") then
  return 0
end
-- Most users are in no block.
if string.sub(subject, 1, 1) ~= "m" and redis.call("EXISTS", blocked, blockers) > 0
  and (redis.call("ZSCORE", blocked, actor) or redis.call("ZSCORE", blockers, actor)) then
  return 0
end
local watched = string.match(reason, "^WATCH:(%d+)$")
local since = watched and redis.call("ZSCORE", sources, watched)
if watched and (not since or math.floor(tonumber(since) / 1000) > tonumber(created)) then
  return 0
end

local last = redis.call("HINCRBY", account, "noteSeq", 1)
local seq = string.format("%.0f", last)
redis.call("ZADD", numbers, seq, seq)
if not mark or tonumber(redis.call("HGET", marks, mark) or "-1") < tonumber(number) then
  redis.call("ZADD", unread, seq, seq)
end
redis.call("HSET", notes, seq,
  row_text(ROWS.note, {reason = reason, actor = actor, subject = subject, created = created}), subject, seq)
if there.comment + there.topic > 0 then
  withhold(user, unread, notes, {[seq] = there}, now)
end
-- No user has more notifications than the number of the last one.
for _, old in ipairs(last > tonumber(most) and redis.call("ZRANGE", numbers, 0, -1 - tonumber(most)) or {}) do
  local note = read_row(ROWS.note, redis.call("HGET", notes, old)) or {}
  redis.call("ZREM", numbers, old)
  redis.call("ZREM", unread, old)
  withhold(user, unread, notes, {[old] = false}, now)
  redis.call("HDEL", notes, old, note.subject or old)
  if tonumber(note.created or "0") > tonumber(redis.call("HGET", account, "noteFloor") or "0") then
    redis.call("HSET", account, "noteFloor", note.created)
  end
end
changed(nil, user, "NOTES:" .. seq .. ":" .. seq)
return 1
