-- Edits a comment.
-- KEYS[1]  HASH  the comment
-- KEYS[2]  HASH  its topic
-- ARGV[1]  viewer's id
-- ARGV[2]  "1" when the viewer is a moderator
-- ARGV[3]  now, Unix ms
-- ARGV[4...] field, value pairs to change
-- Returns  1
-- Errors   NOT_FOUND, FORBIDDEN when it is somebody else's, LOCKED when it or
--          its topic is deleted
local c = redis.call("HMGET", KEYS[1], "author", "deleted")
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
for i = 4, #ARGV, 2 do
  if redis.call("HGET", KEYS[1], ARGV[i]) ~= ARGV[i + 1] then
    redis.call("HSET", KEYS[1], ARGV[i], ARGV[i + 1])
    changed = true
  end
end
if changed then
  redis.call("HSET", KEYS[1], "edited", ARGV[3])
end
return 1
