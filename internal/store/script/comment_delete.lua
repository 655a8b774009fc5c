-- Makes a comment a tombstone: its text goes, its place and replies stay.
-- KEYS[1]  HASH  the comment
-- KEYS[2]  HASH  its topic
-- KEYS[3]  ZSET  dirty marks of the partition
-- KEYS[4]  HASH  site counters of the partition
-- KEYS[5]  ZSET  authors and floors of the topic's live comments
-- KEYS[6]  ZSET  deleted comments of the topic
-- KEYS[7]  HASH  the parent; only with a parent
-- ARGV[1]  comment id
-- ARGV[2]  viewer's id
-- ARGV[3]  "1" when the viewer is a moderator
-- ARGV[4]  now, Unix ms
-- ARGV[5]  topic id
-- ARGV[6]  day of the comment's posting, in days since 1970-01-01
-- Returns  {rev, author, created, state of the topic..., told}: what the author's list of
--          comments and the topic's indexes need, and the users who may have been told
-- Errors   NOT_FOUND, FORBIDDEN when it is somebody else's
local c = redis.call("HMGET", KEYS[1], "author", "deleted", "parent", "floor", "tell", "mentions")
local t = redis.call("HMGET", KEYS[2], "state", "author", "day")
if not c[1] or not t[1] or (t[1] == "DELETED" and ARGV[2] ~= t[2] and ARGV[3] ~= "1") then
  return redis.error_reply("NOT_FOUND commentId")
end
if ARGV[2] ~= c[1] and ARGV[3] ~= "1" then
  return redis.error_reply("FORBIDDEN commentId")
end

if not c[2] then
  -- The author stays in the hash, for moderators' records and for the repetition
  -- of this call; readers are shown the ghost.
  redis.call("HSET", KEYS[1], "deleted", ARGV[4], "content", "")
  redis.call("HDEL", KEYS[1], "mentions")
  if c[5] == "all" then -- whoever is still telling them, or has: the task takes it back
    local tell = t[2] .. " "
    if c[3] ~= "0" then
      tell = tell .. (redis.call("HGET", KEYS[7], "author") or "0") .. " "
    end
    for user in string.gmatch(c[6] or "", ":(%d+)") do
      tell = tell .. user .. " "
    end
    redis.call("HSET", KEYS[1], "tell", tell)
  end
  redis.call("HINCRBY", KEYS[1], "rev", 1)
  redis.call("ZREM", KEYS[5], string.format("%08x%08x", tonumber(c[1]), tonumber(c[4])))
  redis.call("ZADD", KEYS[6], c[4], ARGV[1])
  if c[3] ~= "0" then
    redis.call("HINCRBY", KEYS[7], "replies", -1)
  end
  redis.call("HINCRBY", KEYS[2], "comments", -1)
  if t[3] == ARGV[6] then
    redis.call("HINCRBY", KEYS[2], "dayComments", -1)
  elseif t[3] and tonumber(t[3]) == tonumber(ARGV[6]) + 1 then
    redis.call("HINCRBY", KEYS[2], "dayBefore", -1)
  end
  redis.call("HINCRBY", KEYS[2], "rev", 1)
  -- A deleted topic took its comments out of the site's count already.
  if t[1] ~= "DELETED" then
    redis.call("HINCRBY", KEYS[4], "comments", -1)
  end
  redis.call("ZADD", KEYS[3], "NX", ARGV[4], "c:" .. ARGV[1], ARGV[4], "t:" .. ARGV[5])
  redis.call("PUBLISH", KEYS[2], "t")
end
local reply = redis.call("HMGET", KEYS[1], "rev", "author", "created")
local topic = redis.call("HMGET", KEYS[2], "rev", "state", "created", "active", "category", "left", "author",
  "up", "down", "tags", "leftTags", "day", "dayComments", "dayBefore", "fan")
for i = 1, 15 do
  reply[3 + i] = topic[i]
end
local told = redis.call("HMGET", KEYS[1], "told", "tell")
reply[19] = (told[1] or "") .. " " .. (told[2] or "")
return reply
