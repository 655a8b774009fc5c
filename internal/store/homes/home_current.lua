-- Reports whether a state of a topic that was read before still decides its homes. Changes nothing.
-- KEYS topic      HASH    the topic
-- ARGV rev        int     revision of the state
-- ARGV wanted_fan string  revision at which the topic began to belong to other homes; "" if these
--                         are already written
-- Returns  1, or 0 if the homes are others now, or another process has written them
local now_rev, now_fan = unpack(redis.call("HMGET", internal(topic), "rev", "fan"))
if wanted_fan ~= "" then
  return now_fan == wanted_fan and 1 or 0
end
return now_rev == rev and 1 or 0
