-- Begins a session; the oldest ends when there would be too many.
-- KEYS[1]  HASH  the user
-- KEYS[2]  ZSET  the user's sessions
-- ARGV[1]  digest of the token
-- ARGV[2]  when it ends, Unix ms
-- ARGV[3]  now, Unix ms
-- ARGV[4]  most sessions
-- ARGV[5]  when the key expires, Unix s
-- Returns  1, or 0 when there is no such account
if redis.call("HGET", KEYS[1], "state") ~= "ACTIVE" then
  return 0
end
redis.call("ZREMRANGEBYSCORE", KEYS[2], "-inf", ARGV[3])
redis.call("ZADD", KEYS[2], ARGV[2], ARGV[1])
redis.call("ZREMRANGEBYRANK", KEYS[2], 0, -tonumber(ARGV[4]) - 1)
redis.call("EXPIREAT", KEYS[2], ARGV[5])
return 1
