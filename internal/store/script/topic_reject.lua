-- Takes a topic back out of a category that was deleted while the topic was
-- posted or moved there: a moved topic goes back where it came from, a new one
-- is deleted, with the comments that others made meanwhile. Nobody was told that
-- it had arrived.
-- KEYS[1]  HASH  the topic
-- KEYS[2]  HASH  the author (same partition)
-- KEYS[3]  ZSET  the author's profile
-- KEYS[4]  ZSET  dirty marks of the partition
-- KEYS[5]  HASH  site counters of the partition
-- KEYS[6]  ZSET  due tasks of the partition
-- KEYS[7]  HASH  the task that takes it out of bookmarks, and its comments out of their authors' lists
-- KEYS[8]  ZSET  who has bookmarked it
-- KEYS[9]  STREAM what happened in the profile; only while it is watched
-- ARGV[1]  topic id
-- ARGV[2]  the deleted category's id
-- ARGV[3]  now, Unix ms
-- ARGV[4]  name of the task
-- ARGV[5]  about how many events the stream keeps
-- Returns  the topic's state: what its indexes need
-- Errors   NOT_FOUND when there is no such topic
local t = redis.call("HMGET", KEYS[1], "state", "category", "left", "floor", "comments", "kind", "created", "mentions")
if not t[1] then
  return redis.error_reply("NOT_FOUND topicId")
end
if t[2] == ARGV[2] and t[1] ~= "DELETED" then
  local rest, back = string.match(t[3] or "", "^(.-)(%d+) $")
  if back then
    redis.call("HSET", KEYS[1], "category", back, "left", rest)
  elseif t[3] and t[6] == "ARTICLE" then -- it came from no category
    redis.call("HSET", KEYS[1], "category", "0")
  else
    redis.call("HSET", KEYS[1], "state", "DELETED", "deleted", ARGV[3], "rejected", "1")
    local member = string.format("%011x%08x", tonumber(t[7]), tonumber(ARGV[1]))
    if redis.call("ZREM", KEYS[3], member) == 1 and redis.call("EXISTS", KEYS[9]) == 1 then
      redis.call("XADD", KEYS[9], "MAXLEN", "~", ARGV[5], "*", "k", "R", "m", member, "o", "")
      redis.call("PUBLISH", KEYS[9], "")
    end
    if redis.call("EXISTS", KEYS[2]) == 1 then
      redis.call("HSET", KEYS[2], "topics", redis.call("ZCARD", KEYS[3]))
    end
    redis.call("HINCRBY", KEYS[5], "topics", -1)
    -- Not -tonumber: Redis refuses to add "-0".
    redis.call("HINCRBY", KEYS[5], "comments", 0 - tonumber(t[5]))
    if t[4] ~= "0" or redis.call("EXISTS", KEYS[8]) == 1 or (t[8] or "") ~= "" then
      redis.call("HINCRBY", KEYS[7], "n", 1)
      redis.call("HSET", KEYS[7], "attempts", "0", "cursor", "")
      redis.call("ZADD", KEYS[6], ARGV[3], ARGV[4])
    end
  end
  redis.call("HSET", KEYS[1], "fan", redis.call("HINCRBY", KEYS[1], "rev", 1))
  redis.call("ZADD", KEYS[4], "NX", ARGV[3], "t:" .. ARGV[1])
  redis.call("PUBLISH", KEYS[1], "t")
end
return redis.call("HMGET", KEYS[1], "rev", "state", "created", "active", "category", "left", "author",
  "up", "down", "tags", "leftTags", "day", "dayComments", "dayBefore", "fan")
