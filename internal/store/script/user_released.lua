-- Notes that claims were given back. An account that never came to be leaves
-- nothing behind.
-- KEYS[1]  HASH  the user
-- KEYS[2]  SET   claims that the user gives back
-- KEYS[3]  ZSET  dirty marks of the partition
-- ARGV[1]  user id
-- ARGV[2...] the claims given back
-- Returns  1 when nothing is left to do
for i = 2, #ARGV do
  redis.call("SREM", KEYS[2], ARGV[i])
end
if redis.call("SCARD", KEYS[2]) > 0 then
  return 0
end
local state = redis.call("HGET", KEYS[1], "state")
if state == "PENDING" then
  return 0
end
if state == "GONE" then
  redis.call("DEL", KEYS[1])
end
redis.call("ZREM", KEYS[3], "u:" .. ARGV[1])
return 1
