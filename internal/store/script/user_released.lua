-- Records that claims were released, and deletes a registration that was abandoned.
-- KEYS user     HASH  the user
-- KEYS releases SET   claims that the user releases
-- KEYS dirty    ZSET  dirty marks of the partition
-- ARGV id       user  the user
-- ARGV claims[] string  the released claims
-- Returns  1 if nothing is left to do
for i = 1, #claims do
  redis.call("SREM", releases, claims[i])
end
if redis.call("SCARD", releases) > 0 then
  return 0
end
local state, pending_nonce = unpack(redis.call("HMGET", user, "state", "newEmailNonce"))
if state == "PENDING" or pending_nonce then
  return 0
end
if state == "GONE" then
  redis.call("DEL", user)
end
redis.call("ZREM", dirty, "u:" .. id)
return 1
