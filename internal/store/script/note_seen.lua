-- Marks a user's notifications about subjects that are gone as read.
-- KEYS[1]  ZSET  numbers of the user's notifications that were not marked as read
-- KEYS[2]  HASH  what the notifications say, by number, and their numbers by subject
-- ARGV[1...] subjects
-- Returns  how many were marked
local n = 0
for i = 1, #ARGV do
  local seq = redis.call("HGET", KEYS[2], ARGV[i])
  if seq then
    n = n + redis.call("ZREM", KEYS[1], seq)
  end
end
return n
