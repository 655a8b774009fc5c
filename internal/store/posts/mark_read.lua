-- Records how far a user has read a topic or a timeline, unless they have read further.
-- INCLUDE note_reads withhold
-- KEYS user   HASH    the user
-- KEYS marks  HASH    how far the user has read, by name
-- KEYS marked ZSET    the names by time of marking (Unix ms)
-- KEYS unread? ZSET   numbers of the user's notifications that were not marked as read; only with a subject
-- KEYS notes? HASH    the notifications' contents by number, and their numbers by subject; only with a subject
-- ARGV name   string  name
-- ARGV up_to  int     the position: a number, or a time in Unix ms
-- ARGV now    time    now
-- ARGV most   int     maximum number of names; those marked longest ago are forgotten
-- ARGV subject? string subject whose notification is marked as read, too, as in note_add
-- Returns  1
-- Errors   UNAUTHENTICATED if the account is not active
if redis.call("HGET", user, "state") ~= "ACTIVE" then
  return redis.error_reply("UNAUTHENTICATED")
end

local last = tonumber(redis.call("HGET", marks, name) or "-1")
if tonumber(up_to) > last then
  redis.call("HSET", marks, name, up_to)
end
local at = tonumber(redis.call("ZSCORE", marked, name) or "0")
if tonumber(now) > at then
  redis.call("ZADD", marked, now, name)
end
local more = redis.call("ZCARD", marked) - tonumber(most)
if more > 0 then
  for _, oldest in ipairs(redis.call("ZRANGE", marked, 0, more - 1)) do
    redis.call("HDEL", marks, oldest)
    redis.call("ZREM", marked, oldest)
  end
end
local seq = subject and redis.call("HGET", notes, subject)
if seq then
  withhold(user, unread, notes, {[seq] = false}, now)
end
return 1
