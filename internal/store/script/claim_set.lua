-- Claims a unique name, unless somebody else's claim stands there.
-- KEYS[1]  STRING  the claim
-- ARGV[1]  the claim's value, "user/nonce"
-- ARGV[2]  a claim that was found void and may be replaced, or ""
-- Returns  the value that stands there now
local have = redis.call("GET", KEYS[1])
if not have or have == ARGV[1] or (ARGV[2] ~= "" and have == ARGV[2]) then
  redis.call("SET", KEYS[1], ARGV[1])
  return ARGV[1]
end
return have
