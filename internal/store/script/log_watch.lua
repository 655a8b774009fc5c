-- Has a stream of events written from now on, or on, because somebody watches it.
-- KEYS[1]  STREAM  the events
-- ARGV[1]  how long it is kept after that, ms
-- Returns  the id of its latest event
if redis.call("EXISTS", KEYS[1]) == 0 then
  redis.call("XADD", KEYS[1], "*", "k", "-", "m", "", "o", "")
end
redis.call("PEXPIRE", KEYS[1], ARGV[1])
return redis.call("XREVRANGE", KEYS[1], "+", "-", "COUNT", 1)[1][1]
