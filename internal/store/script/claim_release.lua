-- Gives a claim back, if it is still the one that was made, or has the name rest.
-- KEYS claim   STRING  the claim
-- ARGV value   string  its value, "user/nonce"
-- ARGV rest    string  the value with which the name rests, "" gives it back
-- ARGV expires string  when the rest expires, Unix s; "" never
-- Returns  how many keys changed
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
