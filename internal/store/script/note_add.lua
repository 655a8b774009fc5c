-- Gives a user a notification, once, and lets the oldest go beyond those that are kept.
-- KEYS[1]  HASH  the user; their key is the channel that tells of it
-- KEYS[2]  ZSET  numbers of the user's notifications
-- KEYS[3]  ZSET  those of them that were not marked as read
-- KEYS[4]  HASH  what they say, by number, and their numbers by subject
-- KEYS[5]  ZSET  users whom the user has blocked
-- KEYS[6]  ZSET  users who have blocked the user
-- ARGV[1]  subject: "c", "t" or "f" for a comment, topic or follower, and its id
-- ARGV[2]  reason
-- ARGV[3]  id of the user who did it
-- ARGV[4]  when that was, Unix ms
-- ARGV[5]  how many are kept
-- Returns  1 when it was given, 2 when the user had it before; 0 when the user is not active
--          or in a block with whoever did it, or when later ones have gone already
local u = redis.call("HMGET", KEYS[1], "state", "noteFloor")
if u[1] ~= "ACTIVE" then
  return 0
end
if redis.call("HEXISTS", KEYS[4], ARGV[1]) == 1 then
  return 2
end
if tonumber(ARGV[4]) <= tonumber(u[2] or "0") or redis.call("ZSCORE", KEYS[5], ARGV[3]) or redis.call("ZSCORE", KEYS[6], ARGV[3]) then
  return 0
end

local seq = string.format("%.0f", redis.call("HINCRBY", KEYS[1], "noteSeq", 1))
redis.call("ZADD", KEYS[2], seq, seq)
redis.call("ZADD", KEYS[3], seq, seq)
redis.call("HSET", KEYS[4], seq, ARGV[2] .. " " .. ARGV[3] .. " " .. ARGV[1] .. " " .. ARGV[4], ARGV[1], seq)
for _, old in ipairs(redis.call("ZRANGE", KEYS[2], 0, -1 - tonumber(ARGV[5]))) do
  local subject, created = string.match(redis.call("HGET", KEYS[4], old) or "", "(%S+) (%d+)$")
  redis.call("ZREM", KEYS[2], old)
  redis.call("ZREM", KEYS[3], old)
  redis.call("HDEL", KEYS[4], old, subject or old)
  if tonumber(created or "0") > tonumber(redis.call("HGET", KEYS[1], "noteFloor") or "0") then
    redis.call("HSET", KEYS[1], "noteFloor", created)
  end
end
redis.call("PUBLISH", KEYS[1], "note " .. seq .. " " .. seq)
return 1
