-- Gives a user a notification, once, and lets the oldest go beyond those that are kept.
-- KEYS user     HASH    the user; their key is the channel that tells of it
-- KEYS numbers  ZSET    numbers of the user's notifications
-- KEYS unread   ZSET    those of them that were not marked as read
-- KEYS notes    HASH    what they say, by number, and their numbers by subject
-- KEYS blocked  ZSET    users whom the user has blocked
-- KEYS blockers ZSET    users who have blocked the user
-- ARGV subject  string  subject: "c", "t" or "f" for a comment, topic or follower, and its id
-- ARGV reason   string  reason
-- ARGV actor    user    id of the user who did it
-- ARGV created  time    when that was
-- ARGV most     int     how many are kept
-- Returns  1 when it was given, 2 when the user had it before; 0 when the user is not active
--          or in a block with whoever did it, or when later ones have gone already
local state, watermark = unpack(redis.call("HMGET", user, "state", "noteFloor"))
if state ~= "ACTIVE" then
  return 0
end
if redis.call("HEXISTS", notes, subject) == 1 then
  return 2
end
if tonumber(created) <= tonumber(watermark or "0") or redis.call("ZSCORE", blocked, actor) or redis.call("ZSCORE", blockers, actor) then
  return 0
end

local seq = string.format("%.0f", redis.call("HINCRBY", user, "noteSeq", 1))
redis.call("ZADD", numbers, seq, seq)
redis.call("ZADD", unread, seq, seq)
redis.call("HSET", notes, seq, reason .. " " .. actor .. " " .. subject .. " " .. created, subject, seq)
for _, old in ipairs(redis.call("ZRANGE", numbers, 0, -1 - tonumber(most))) do
  local about, at = string.match(redis.call("HGET", notes, old) or "", "(%S+) (%d+)$")
  redis.call("ZREM", numbers, old)
  redis.call("ZREM", unread, old)
  redis.call("HDEL", notes, old, about or old)
  if tonumber(at or "0") > tonumber(redis.call("HGET", user, "noteFloor") or "0") then
    redis.call("HSET", user, "noteFloor", at)
  end
end
redis.call("PUBLISH", user, "note " .. seq .. " " .. seq)
return 1
