-- Ends a registration: from here on the account exists.
-- KEYS user    HASH    the user
-- KEYS stats   HASH    site counters of the partition
-- ARGV nonce   string  nonce of the registration
-- ARGV created time    time of the account's making
-- Returns  1 when the account is active, 2 when it is and has another e-mail by
--          now, 0 when the registration was given up
local state, now_nonce, email_nonce = unpack(redis.call("HMGET", user, "state", "nonce", "emailNonce"))
if now_nonce ~= nonce then
  return 0
end
if state == "ACTIVE" then
  redis.call("HSET", user, "state", "ACTIVE")
  return (not email_nonce or email_nonce == nonce) and 1 or 2
end
if state ~= "PENDING" then
  return 0
end
redis.call("HSET", user, "state", "ACTIVE", "created", created)
redis.call("HINCRBY", stats, "users", 1)
return 1
