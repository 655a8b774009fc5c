-- Takes a topic back out of a category that was deleted while the topic was
-- posted or moved there: a moved topic goes back where it came from, a new one
-- is deleted. Nobody was told that it had arrived.
-- KEYS[1]  HASH  the topic
-- KEYS[2]  HASH  the author (same partition)
-- KEYS[3]  ZSET  the author's profile
-- KEYS[4]  ZSET  dirty marks of the partition
-- KEYS[5]  HASH  site counters of the partition
-- ARGV[1]  topic id
-- ARGV[2]  the deleted category's id
-- ARGV[3]  now, Unix ms
-- Returns  {rev, state, created, active, category, left, author}
-- Errors   NOT_FOUND when there is no such topic
local t = redis.call("HMGET", KEYS[1], "state", "category", "left", "kind", "comments")
if not t[1] then
  return redis.error_reply("NOT_FOUND topicId")
end
if t[2] == ARGV[2] and t[1] ~= "DELETED" then
  local rest, back = string.match(t[3] or "", "^(.-)(%d+) $")
  if back then
    redis.call("HSET", KEYS[1], "category", back, "left", rest)
  elseif t[4] == "ARTICLE" then
    redis.call("HSET", KEYS[1], "category", "0")
  else
    redis.call("HSET", KEYS[1], "state", "DELETED", "deleted", ARGV[3])
    redis.call("ZREM", KEYS[3], ARGV[1])
    redis.call("HSET", KEYS[2], "topics", redis.call("ZCARD", KEYS[3]))
    redis.call("HINCRBY", KEYS[5], "topics", -1)
    redis.call("HINCRBY", KEYS[5], "comments", -tonumber(t[5]))
  end
  redis.call("HINCRBY", KEYS[1], "rev", 1)
  redis.call("ZADD", KEYS[4], "NX", ARGV[3], "t:" .. ARGV[1])
end
return redis.call("HMGET", KEYS[1], "rev", "state", "created", "active", "category", "left", "author")
