-- Notes in a user's log how they voted on an article, unless a later vote of theirs
-- on it stands there. The log keeps their latest ones.
-- KEYS[1]  ZSET  the log
-- KEYS[2]  HASH  the user
-- ARGV[1]  topic id
-- ARGV[2]  the entry: 4 * the time of the vote (Unix ms) + 1 for UP, 2 for DOWN, 0 for none
-- ARGV[3]  most entries
-- Returns  1
if redis.call("HGET", KEYS[2], "state") == "ACTIVE" then
  local has = redis.call("ZSCORE", KEYS[1], ARGV[1])
  if not has or tonumber(has) < tonumber(ARGV[2]) then
    redis.call("ZADD", KEYS[1], ARGV[2], ARGV[1])
    redis.call("ZREMRANGEBYRANK", KEYS[1], 0, -1 - tonumber(ARGV[3]))
  end
end
return 1
