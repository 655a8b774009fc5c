-- Gives up one's own registration.
-- KEYS[1]  HASH  the user
-- KEYS[2]  SET   claims that the user gives back
-- KEYS[3]  ZSET  dirty marks of the partition
-- ARGV[1]  user id
-- ARGV[2]  nonce of the registration
-- ARGV[3]  now, Unix ms
-- Returns  1 when it is given up, now or before; 0 when the account is active
local u = redis.call("HMGET", KEYS[1], "state", "nonce", "loginClaim", "emailClaim", "lookClaims")
if u[2] == ARGV[2] and u[1] == "ACTIVE" then
  return 0
end
if u[2] ~= ARGV[2] or u[1] ~= "PENDING" then
  return 1
end
redis.call("HSET", KEYS[1], "state", "GONE", "rev", "2")
for i = 3, 4 do
  if u[i] then
    redis.call("SADD", KEYS[2], u[i] .. " " .. ARGV[1] .. "/" .. u[2])
  end
end
for claim in string.gmatch(u[5] or "", "%S+") do
  redis.call("SADD", KEYS[2], claim .. " " .. ARGV[1] .. "/" .. u[2])
end
redis.call("ZADD", KEYS[3], "NX", ARGV[3], "u:" .. ARGV[1])
return 1
