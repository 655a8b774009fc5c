-- Ends a registration: from here on the account exists.
-- KEYS[1]  HASH  the user
-- KEYS[2]  HASH  site counters of the partition
-- ARGV[1]  nonce of the registration
-- ARGV[2]  time of the account's making, Unix ms
-- Returns  1 when the account is active, 2 when it is and has another e-mail by
--          now, 0 when the registration was given up
local u = redis.call("HMGET", KEYS[1], "state", "nonce", "emailNonce")
if u[2] ~= ARGV[1] then
  return 0
end
if u[1] == "ACTIVE" then
  redis.call("HSET", KEYS[1], "state", "ACTIVE")
  return (not u[3] or u[3] == ARGV[1]) and 1 or 2
end
if u[1] ~= "PENDING" then
  return 0
end
redis.call("HSET", KEYS[1], "state", "ACTIVE", "created", ARGV[2])
redis.call("HINCRBY", KEYS[2], "users", 1)
return 1
