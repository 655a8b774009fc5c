-- Has a stream of events written from now on, or on, because somebody watches it.
-- KEYS events STREAM  the events
-- ARGV life   millis  how long it is kept after that
-- Returns  the id of its latest event
if redis.call("EXISTS", events) == 0 then
  redis.call("XADD", events, "*", "k", "-", "m", "", "o", "")
end
redis.call("PEXPIRE", events, life)
local latest = unpack(redis.call("XREVRANGE", events, "+", "-", "COUNT", 1))
return latest[1]
