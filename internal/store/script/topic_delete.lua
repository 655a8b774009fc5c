-- Deletes a topic for good: it leaves its author's profile and the counts; its
-- hash stays, so that its author and moderators can still read it.
-- KEYS[1]  HASH  the topic
-- KEYS[2]  HASH  the author (same partition)
-- KEYS[3]  ZSET  the author's profile
-- KEYS[4]  ZSET  dirty marks of the partition
-- KEYS[5]  HASH  site counters of the partition
-- KEYS[6]  ZSET  due tasks of the partition
-- KEYS[7]  HASH  the task that takes it out of bookmarks, and its comments out of their authors' lists
-- KEYS[8]  STREAM what happened in the profile; only while it is watched
-- ARGV[1]  topic id
-- ARGV[2]  viewer's id
-- ARGV[3]  "1" when the viewer is a moderator
-- ARGV[4]  now, Unix ms
-- ARGV[5]  end of the caller's lease of the task, Unix ms
-- ARGV[6]  name of the task
-- ARGV[7]  the author's id, as the caller read it
-- ARGV[8]  about how many events the stream keeps
-- Returns  {n, state of the topic...}: the task's fencing token, 0 when the topic was
--          deleted before, and what the indexes need
-- Errors   NOT_FOUND, FORBIDDEN when it is somebody else's, RETRY when the
--          caller read another author
local t = redis.call("HMGET", KEYS[1], "state", "author", "comments", "created")
if not t[1] or (t[1] == "DELETED" and ARGV[2] ~= t[2] and ARGV[3] ~= "1") then
  return redis.error_reply("NOT_FOUND topicId")
end
if ARGV[2] ~= t[2] and ARGV[3] ~= "1" then
  return redis.error_reply("FORBIDDEN topicId")
end
if t[2] ~= ARGV[7] then
  return redis.error_reply("RETRY")
end

local n = 0
if t[1] ~= "DELETED" then
  redis.call("HSET", KEYS[1], "state", "DELETED", "deleted", ARGV[4])
  redis.call("HSET", KEYS[1], "fan", redis.call("HINCRBY", KEYS[1], "rev", 1))
  local member = string.format("%011x%08x", tonumber(t[4]), tonumber(ARGV[1]))
  if redis.call("ZREM", KEYS[3], member) == 1 and redis.call("EXISTS", KEYS[8]) == 1 then
    redis.call("XADD", KEYS[8], "MAXLEN", "~", ARGV[8], "*", "k", "R", "m", member, "o", "")
    redis.call("PUBLISH", KEYS[8], "")
  end
  if redis.call("EXISTS", KEYS[2]) == 1 then
    redis.call("HSET", KEYS[2], "topics", redis.call("ZCARD", KEYS[3]))
  end
  redis.call("HINCRBY", KEYS[5], "topics", -1)
  -- Not -tonumber: Redis refuses to add "-0".
  redis.call("HINCRBY", KEYS[5], "comments", 0 - tonumber(t[3]))
  redis.call("ZADD", KEYS[4], "NX", ARGV[4], "t:" .. ARGV[1])
  redis.call("PUBLISH", KEYS[1], "t")
  n = redis.call("HINCRBY", KEYS[7], "n", 1)
  redis.call("HSET", KEYS[7], "attempts", "1", "cursor", "")
  redis.call("ZADD", KEYS[6], ARGV[5], ARGV[6])
end
local p = redis.call("HMGET", KEYS[1], "rev", "state", "created", "active", "category", "left", "author",
  "up", "down", "tags", "leftTags", "day", "dayComments", "dayBefore", "fan")
table.insert(p, 1, tostring(n))
return p
