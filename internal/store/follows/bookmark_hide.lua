-- Notes whether a topic that a user has bookmarked is hidden: then counts of bookmarks leave it out. May come late and
-- twice: what a higher revision of the topic said is kept.
-- KEYS bookmarks ZSET  the user's bookmarks
-- KEYS hidden    ZSET  those that are hidden, or were: score the revision of the topic, negative if it is not any more
-- ARGV topic     topic the topic
-- ARGV rev       int   revision of the topic
-- ARGV on        flag  whether it is hidden
-- Returns  1, or 0 if nothing changed
if not redis.call("ZSCORE", bookmarks, topic) then
  return redis.call("ZREM", hidden, topic)
end
local known = redis.call("ZSCORE", hidden, topic)
if known and math.abs(tonumber(known)) >= tonumber(rev) then
  return 0
end
redis.call("ZADD", hidden, (on and "" or "-") .. rev, topic)
return 1
