-- Edits a topic.
-- KEYS[1]  HASH  the topic
-- KEYS[2]  ZSET  dirty marks of the partition
-- ARGV[1]  topic id
-- ARGV[2]  viewer's id
-- ARGV[3]  "1" when the viewer is a moderator
-- ARGV[4]  now, Unix ms
-- ARGV[5]  new category id, "" to leave it
-- ARGV[6...] field, value pairs to change
-- Returns  the topic's state: what its indexes need
-- Errors   NOT_FOUND, FORBIDDEN when it is somebody else's, LOCKED when it is deleted
local t = redis.call("HMGET", KEYS[1], "state", "author", "category", "left")
if not t[1] or (t[1] == "DELETED" and ARGV[2] ~= t[2] and ARGV[3] ~= "1") then
  return redis.error_reply("NOT_FOUND topicId")
end
if ARGV[2] ~= t[2] and ARGV[3] ~= "1" then
  return redis.error_reply("FORBIDDEN topicId")
end
if t[1] ~= "OPEN" then
  return redis.error_reply("LOCKED topicId")
end

local changed = false
for i = 6, #ARGV, 2 do
  if redis.call("HGET", KEYS[1], ARGV[i]) ~= ARGV[i + 1] then
    redis.call("HSET", KEYS[1], ARGV[i], ARGV[i + 1])
    changed = true
  end
end
if ARGV[5] ~= "" and ARGV[5] ~= t[3] then
  -- The old category's index still holds the topic until the move has been
  -- written there; left remembers it, should this process die before.
  local left = t[4] or ""
  if t[3] ~= "0" then
    left = left .. t[3] .. " "
  end
  redis.call("HSET", KEYS[1], "category", ARGV[5], "left", left)
  redis.call("HSET", KEYS[1], "fan", redis.call("HINCRBY", KEYS[1], "rev", 1))
  redis.call("ZADD", KEYS[2], "NX", ARGV[4], "t:" .. ARGV[1])
  changed = true
end
if changed then
  redis.call("HSET", KEYS[1], "edited", ARGV[4])
end
return redis.call("HMGET", KEYS[1], "rev", "state", "created", "active", "category", "left", "author",
  "up", "down", "tags", "leftTags", "day", "dayComments", "dayBefore", "fan")
