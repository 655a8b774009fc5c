-- Marks a user's notifications about subjects that are gone as read, and publishes which.
-- KEYS[1]  HASH  the user; their key is the channel
-- KEYS[2]  ZSET  numbers of the user's notifications that were not marked as read
-- KEYS[3]  HASH  what the notifications say, by number, and their numbers by subject
-- ARGV[1]  now, Unix ms
-- ARGV[2...] subjects
-- Returns  how many were marked
local now, marked = ARGV[1], 0
for i = 2, #ARGV do
  local seq = redis.call("HGET", KEYS[3], ARGV[i])
  if seq and redis.call("ZREM", KEYS[2], seq) == 1 then
    marked = marked + 1
    local n = tonumber(string.match(redis.call("HGET", KEYS[1], "noteReads") or "", "^%d+") or "0")
    local last = string.format("%.0f", n + 1) .. " " .. now
    redis.call("HSET", KEYS[1], "noteReads", last)
    redis.call("PUBLISH", KEYS[1], "read " .. last .. " " .. seq)
  end
end
return marked
