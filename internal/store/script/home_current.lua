-- Reports whether the homes that a topic belongs in are still those of a state that was
-- read before. Changes nothing.
-- KEYS[1]  HASH  the topic
-- ARGV[1]  revision of the state
-- ARGV[2]  revision at which the topic came to be in other homes than before; "" when these
--          were written already
-- Returns  1, or 0 when they are others now, or somebody else has written them
local t = redis.call("HMGET", KEYS[1], "rev", "fan")
if ARGV[2] ~= "" then
  return t[2] == ARGV[2] and 1 or 0
end
return t[1] == ARGV[1] and 1 or 0
