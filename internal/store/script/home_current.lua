-- Reports whether the homes that a topic belongs in are still those of a state that was
-- read before. Changes nothing.
-- KEYS topic      HASH    the topic
-- ARGV rev        int     revision of the state
-- ARGV wanted_fan string  revision at which the topic came to be in other homes than before; "" when these
--                         were written already
-- Returns  1, or 0 when they are others now, or somebody else has written them
local now_rev, now_fan = unpack(redis.call("HMGET", topic, "rev", "fan"))
if wanted_fan ~= "" then
  return now_fan == wanted_fan and 1 or 0
end
return now_rev == rev and 1 or 0
