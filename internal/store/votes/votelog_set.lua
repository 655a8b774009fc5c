-- Records in a user's log how they voted on an article, unless the log has a later vote on it. The log
-- keeps the latest votes.
-- KEYS votes ZSET   the log
-- KEYS user  HASH   the user
-- ARGV topic topic  the topic
-- ARGV entry int    the entry: 4 * the time of the vote (Unix ms) + 1 for UP, 2 for DOWN, 0 for none
-- ARGV most  int    maximum number of entries
-- Returns  1
if redis.call("HGET", user, "state") == "ACTIVE" then
  local has = redis.call("ZSCORE", votes, topic)
  if not has or tonumber(has) < tonumber(entry) then
    redis.call("ZADD", votes, entry, topic)
    redis.call("ZREMRANGEBYRANK", votes, 0, -1 - tonumber(most))
  end
end
return 1
