-- Gives a claim back, if it is still the one that was made, or has the name rest.
-- KEYS[1]  STRING  the claim
-- ARGV[1]  its value, "user/nonce"
-- ARGV[2]  the value with which the name rests, "" gives it back
-- ARGV[3]  when the rest expires, Unix s; "" never
-- Returns  how many keys changed
local claim = KEYS[1]
local value, rest, expires = ARGV[1], ARGV[2], ARGV[3]
if redis.call("GET", claim) ~= value then
  return 0
end
if rest == "" then
  return redis.call("DEL", claim)
end
redis.call("SET", claim, rest)
if expires ~= "" then
  redis.call("EXPIREAT", claim, expires)
end
return 1
