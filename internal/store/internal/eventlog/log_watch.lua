-- Starts or continues the writing of a stream of events, because it is watched.
-- KEYS events STREAM  the events
-- ARGV life   millis  how long it is kept after this call
-- Returns  the id of its latest event
if redis.call("EXISTS", events) == 0 then
  redis.call("XADD", events, "*", "k", "-", "m", "", "o", "")
end
redis.call("PEXPIRE", events, life)
local latest = unpack(redis.call("XREVRANGE", events, "+", "-", "COUNT", 1))
return latest[1]
