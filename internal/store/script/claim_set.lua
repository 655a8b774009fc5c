-- Claims a unique name, unless somebody else's claim stands there.
-- KEYS claim STRING  the claim
-- ARGV value string  the claim's value, "user/nonce"
-- ARGV void  string  a claim that was found void and may be replaced, or ""
-- Returns  the value that stands there now
local have = redis.call("GET", claim)
if not have or have == value or (void ~= "" and have == void) then
  redis.call("SET", claim, value)
  return value
end
return have
