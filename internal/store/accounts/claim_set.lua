-- Claims a unique name, unless there is another claim on it.
-- KEYS claim STRING  the claim
-- ARGV value string  the claim's value, "user/nonce"
-- ARGV void  string  a claim that was found void and may be replaced, or ""
-- Returns  the claim's current value
local have = redis.call("GET", claim)
if not have or have == value or (void ~= "" and have == void) then
  redis.call("SET", claim, value)
  return value
end
return have
