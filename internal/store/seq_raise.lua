-- Raises a sequence. It never falls, so no id is assigned twice.
-- KEYS sequence STRING  the sequence
-- ARGV given    int     number that counts as assigned
-- Returns  the last number assigned
local last = tonumber(redis.call("GET", sequence) or "0")
if tonumber(given) > last then
  redis.call("SET", sequence, given)
  return tonumber(given)
end
return last
