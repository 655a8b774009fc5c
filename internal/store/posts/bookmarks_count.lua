-- Counts the bookmarks of a user after a time, without those of hidden topics.
-- KEYS bookmarks ZSET   the bookmarks
-- KEYS hidden    ZSET   those that are hidden, with positive scores, or were
-- ARGV since     int    the time, Unix µs
-- Returns  their number
local n = redis.call("ZCOUNT", bookmarks, "(" .. since, "+inf")
for _, topic in ipairs(redis.call("ZRANGEBYSCORE", hidden, 1, "+inf")) do
  local at = redis.call("ZSCORE", bookmarks, topic)
  if at and tonumber(at) > tonumber(since) then
    n = n - 1
  end
end
return n
