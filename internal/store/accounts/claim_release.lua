-- Releases a claim if it still has the value, or reserves the name.
-- KEYS claim   STRING  the claim
-- ARGV value   string  its value, "user/nonce"
-- ARGV rest    string  the value with which the name is reserved, "" to release it
-- ARGV expires string  when the reservation expires, Unix s; "" never
-- Returns  the number of keys changed
if redis.call("GET", claim) ~= value then
  return 0
end
redis.call("DEL", claim) -- first, so that Redis, if it is full, does not refuse the next command
if rest == "" then
  return 1
end
redis.call("SET", claim, rest)
if expires ~= "" then
  redis.call("EXPIREAT", claim, expires)
end
return 1
