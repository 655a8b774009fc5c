-- Edits a comment.
-- KEYS[1]  HASH  the comment
-- KEYS[2]  HASH  its topic
-- KEYS[3]  ZSET  due tasks of the partition
-- KEYS[4]  HASH  the task that tells whom it concerns
-- ARGV[1]  viewer's id
-- ARGV[2]  "1" when the viewer is a moderator
-- ARGV[3]  now, Unix ms
-- ARGV[4]  end of the caller's lease of the task, Unix ms
-- ARGV[5]  name of the task
-- ARGV[6...] field, value pairs to change
-- Returns  {n, author}: the task's fencing token, "0" when there is nobody to tell
-- Errors   NOT_FOUND, FORBIDDEN when it is somebody else's, LOCKED when it or
--          its topic is deleted
local c = redis.call("HMGET", KEYS[1], "author", "deleted", "mentions")
local t = redis.call("HMGET", KEYS[2], "state", "author")
if not c[1] or not t[1] or (t[1] == "DELETED" and ARGV[1] ~= t[2] and ARGV[2] ~= "1") then
  return redis.error_reply("NOT_FOUND commentId")
end
if ARGV[1] ~= c[1] and ARGV[2] ~= "1" then
  return redis.error_reply("FORBIDDEN commentId")
end
if c[2] or t[1] ~= "OPEN" then
  return redis.error_reply("LOCKED commentId")
end

local changed = false
for i = 6, #ARGV, 2 do
  if redis.call("HGET", KEYS[1], ARGV[i]) ~= ARGV[i + 1] then
    redis.call("HSET", KEYS[1], ARGV[i], ARGV[i + 1])
    changed = true
  end
end
if changed then
  redis.call("HSET", KEYS[1], "edited", ARGV[3])
end

-- Whoever is mentioned now and was not before is to be told.
local fresh = ""
for user in string.gmatch(redis.call("HGET", KEYS[1], "mentions") or "", ":(%d+)") do
  if user ~= c[1] and not string.find((c[3] or "") .. " ", ":" .. user .. " ", 1, true) then
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
  redis.call("ZADD", KEYS[3], ARGV[4], ARGV[5])
end
return {n, c[1]}
