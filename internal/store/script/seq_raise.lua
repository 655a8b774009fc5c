-- Raises a sequence; it never falls, so no id is given out twice.
-- KEYS[1]  STRING  the sequence
-- ARGV[1]  number that counts as given out
-- Returns  the last number given out
local last = tonumber(redis.call("GET", KEYS[1]) or "0")
if tonumber(ARGV[1]) > last then
  redis.call("SET", KEYS[1], ARGV[1])
  return tonumber(ARGV[1])
end
return last
