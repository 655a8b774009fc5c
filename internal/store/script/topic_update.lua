-- Edits a topic.
-- KEYS[1]  HASH  the topic
-- KEYS[2]  ZSET  dirty marks of the partition
-- KEYS[3]  ZSET  due tasks of the partition
-- KEYS[4]  HASH  the task that tells who is mentioned
-- ARGV[1]  topic id
-- ARGV[2]  viewer's id
-- ARGV[3]  "1" when the viewer is a moderator
-- ARGV[4]  now, Unix ms
-- ARGV[5]  new category id, "" to leave it
-- ARGV[6]  end of the caller's lease of the task, Unix ms
-- ARGV[7]  name of the task
-- ARGV[8...] field, value pairs to change
-- Returns  {state of the topic..., n}: what its indexes need; the task's fencing token,
--          "0" when there is nobody to tell
-- Errors   NOT_FOUND, FORBIDDEN when it is somebody else's, LOCKED when it is deleted
local t = redis.call("HMGET", KEYS[1], "state", "author", "category", "left", "mentions")
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
for i = 8, #ARGV, 2 do
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
  redis.call("PUBLISH", KEYS[1], "t")
end

-- Whoever is mentioned now and was not before is to be told.
local fresh = ""
for user in string.gmatch(redis.call("HGET", KEYS[1], "mentions") or "", ":(%d+)") do
  if user ~= t[2] and not string.find((t[5] or "") .. " ", ":" .. user .. " ", 1, true) then
    fresh = fresh .. user .. " "
  end
end
local n = "0"
if fresh ~= "" then
  local tell = redis.call("HGET", KEYS[1], "tell")
  if tell ~= "all" then
    redis.call("HSET", KEYS[1], "tell", (tell or "") .. fresh)
  end
  -- No token comes twice, and there is room for those of claims.
  n = string.format("%.0f", math.max(1000 * redis.call("HINCRBY", KEYS[1], "armed", 1),
    tonumber(redis.call("HGET", KEYS[4], "n") or "0") + 1))
  redis.call("HSET", KEYS[4], "n", n, "attempts", "1", "cursor", "")
  redis.call("ZADD", KEYS[3], ARGV[6], ARGV[7])
end
local reply = redis.call("HMGET", KEYS[1], "rev", "state", "created", "active", "category", "left", "author",
  "up", "down", "tags", "leftTags", "day", "dayComments", "dayBefore", "fan")
reply[16] = n
return reply
