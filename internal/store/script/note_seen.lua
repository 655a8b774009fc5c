-- Marks a user's notifications about subjects that are gone as read, and publishes which.
-- KEYS[1]  HASH  the user; their key is the channel
-- KEYS[2]  ZSET  numbers of the user's notifications that were not marked as read
-- KEYS[3]  HASH  what the notifications say, by number, and their numbers by subject
-- ARGV[1]  now, Unix ms
-- ARGV[2...] subjects
-- Returns  how many were marked
local user, unread, notes = KEYS[1], KEYS[2], KEYS[3]
local now, marked = ARGV[1], 0
for i = 2, #ARGV do
  local seq = redis.call("HGET", notes, ARGV[i])
  if seq and redis.call("ZREM", unread, seq) == 1 then
    marked = marked + 1
    local n = tonumber(string.match(redis.call("HGET", user, "noteReads") or "", "^%d+") or "0")
    local last = string.format("%.0f", n + 1) .. " " .. now
    redis.call("HSET", user, "noteReads", last)
    redis.call("PUBLISH", user, "read " .. last .. " " .. seq)
  end
end
return marked
