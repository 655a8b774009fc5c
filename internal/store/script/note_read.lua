-- Marks one of a user's notifications as read, or all of them, and publishes what changed.
-- KEYS[1]  HASH  the user; their key is the channel
-- KEYS[2]  ZSET  numbers of the user's notifications that were not marked as read
-- KEYS[3]  HASH  what the notifications say, by number, and their numbers by subject
-- ARGV[1]  now, Unix ms
-- ARGV[2]  number of the notification; all of them if left out
-- Returns  how many were marked; -1 if there is no such notification
local user, unread, notes = KEYS[1], KEYS[2], KEYS[3]
local now, seq = ARGV[1], ARGV[2]
local marked
if not seq then
  marked = redis.call("ZCARD", unread)
  redis.call("DEL", unread)
elseif redis.call("HEXISTS", notes, seq) == 0 then
  return -1
else
  marked = redis.call("ZREM", unread, seq)
end
if marked > 0 then
  local n = tonumber(string.match(redis.call("HGET", user, "noteReads") or "", "^%d+") or "0")
  local last = string.format("%.0f", n + 1) .. " " .. now
  redis.call("HSET", user, "noteReads", last)
  redis.call("PUBLISH", user, "read " .. last .. " " .. (seq or "0"))
end
return marked
