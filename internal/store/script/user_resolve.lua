-- Tells in a claim's holder's slot what the claim is worth. A registration that
-- takes longer than it may is given up here, for ever.
-- KEYS[1]  HASH  the holder
-- KEYS[2]  SET   claims that the holder gives back
-- KEYS[3]  ZSET  dirty marks of the partition
-- ARGV[1]  user id
-- ARGV[2]  nonce of the claim; "" for whatever the holder's is
-- ARGV[3]  field that the claim is about, fold or emailFold
-- ARGV[4]  its value
-- ARGV[5]  now, Unix ms
-- ARGV[6]  how long a registration may take, ms
-- Returns  "HELD", "FRESH" (a registration under way) or "STALE"
local u = redis.call("HMGET", KEYS[1], "state", "nonce", ARGV[3], "since", "loginClaim", "emailClaim")
if not u[1] or (ARGV[2] ~= "" and u[2] ~= ARGV[2]) or u[3] ~= ARGV[4] then
  return "STALE"
end
if u[1] == "ACTIVE" then
  return "HELD"
end
if u[1] == "PENDING" and tonumber(u[4]) + tonumber(ARGV[6]) > tonumber(ARGV[5]) then
  return "FRESH"
end
if u[1] == "PENDING" then
  local value = " " .. ARGV[1] .. "/" .. u[2]
  redis.call("HSET", KEYS[1], "state", "GONE", "rev", "2")
  redis.call("SADD", KEYS[2], u[5] .. value, u[6] .. value)
  redis.call("ZADD", KEYS[3], "NX", ARGV[5], "u:" .. ARGV[1])
end
return "STALE"
