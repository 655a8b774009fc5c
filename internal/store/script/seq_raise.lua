-- Raises a sequence; it never falls, so no id is given out twice.
-- KEYS sequence STRING  the sequence
-- ARGV given    int     number that counts as given out
-- Returns  the last number given out
local last = tonumber(redis.call("GET", sequence) or "0")
if tonumber(given) > last then
  redis.call("SET", sequence, given)
  return tonumber(given)
end
return last
