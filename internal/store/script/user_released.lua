-- Notes that claims were given back. A registration that was given up leaves
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
local u = redis.call("HMGET", KEYS[1], "state", "newEmailNonce")
if u[1] == "PENDING" or u[2] then
  return 0
end
if u[1] == "GONE" then
  redis.call("DEL", KEYS[1])
end
redis.call("ZREM", KEYS[3], "u:" .. ARGV[1])
return 1
