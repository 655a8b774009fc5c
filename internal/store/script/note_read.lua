-- Marks one of a user's notifications as read, or all of them, and publishes what changed.
-- KEYS[1]  HASH  the user; their key is the channel
-- KEYS[2]  ZSET  numbers of the user's notifications that were not marked as read
-- KEYS[3]  HASH  what the notifications say, by number, and their numbers by subject
-- ARGV[1]  now, Unix ms
-- ARGV[2]  number of the notification; all of them if left out
-- Returns  how many were marked; -1 if there is no such notification
local now, seq = ARGV[1], ARGV[2]
local marked
if not seq then
  marked = redis.call("ZCARD", KEYS[2])
  redis.call("DEL", KEYS[2])
elseif redis.call("HEXISTS", KEYS[3], seq) == 0 then
  return -1
else
  marked = redis.call("ZREM", KEYS[2], seq)
end
if marked > 0 then
  local n = tonumber(string.match(redis.call("HGET", KEYS[1], "noteReads") or "", "^%d+") or "0")
  local last = string.format("%.0f", n + 1) .. " " .. now
  redis.call("HSET", KEYS[1], "noteReads", last)
  redis.call("PUBLISH", KEYS[1], "read " .. last .. " " .. (seq or "0"))
end
return marked
