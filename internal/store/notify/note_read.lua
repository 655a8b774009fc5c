-- Marks one of a user's notifications as read, or all of them, and publishes the change.
-- INCLUDE note_reads withhold
-- KEYS user   HASH    the user, whose key is the channel
-- KEYS unread ZSET    numbers of the user's notifications that were not marked as read
-- KEYS notes  HASH    the notifications' contents by number, and their numbers by subject
-- ARGV now    time    now
-- ARGV seq?   string  number of the notification; all of them if left out
-- Returns  the number of notifications marked; -1 if there is no such notification
local marked
if not seq then
  marked = redis.call("ZCARD", unread)
  redis.call("DEL", unread)
  redis.call("HDEL", notes, "withheld")
elseif redis.call("HEXISTS", notes, seq) == 0 then
  return -1
else
  return withhold(user, unread, notes, {[seq] = false}, now)
end
if marked > 0 then
  count_read(user, now, seq or "0")
end
return marked
