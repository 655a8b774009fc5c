-- Records that claims were released and the list of users was written, and deletes a registration that was abandoned.
-- KEYS user     HASH  the user
-- KEYS releases SET   claims that the user releases
-- KEYS dirty    ZSET  dirty marks of the partition
-- ARGV id       user  the user
-- ARGV listed   string  revision of the user that was written to the list of users; "" if none was
-- ARGV claims[] string  the released claims
-- Returns  1 if nothing is left to do
for i = 1, #claims do
  redis.call("SREM", releases, claims[i])
end
local state = redis.call("HGET", user, "state")
local pending_nonce, pending_login, rev, unlisted, linking = unpack(redis.call("HMGET", internal(user),
  "newEmailNonce", "newLoginNonce", "rev", "unlisted", "linking"))
if unlisted and rev == listed then
  redis.call("HDEL", internal(user), "unlisted")
  unlisted = false
end
if redis.call("SCARD", releases) > 0 or state == "PENDING" or pending_nonce or pending_login or unlisted
  or linking then
  return 0
end
if state == "GONE" then
  redis.call("DEL", user, internal(user))
end
redis.call("ZREM", dirty, "u:" .. id)
return 1
