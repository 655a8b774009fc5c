-- Sets one user's vote on a comment, moving or taking back an earlier one.
-- KEYS[1]  HASH  the comment
-- KEYS[2]  HASH  its topic
-- KEYS[3]  ZSET  users who voted up, by id
-- KEYS[4]  ZSET  users who voted down, by id
-- KEYS[5]  HASH  votes on the topic's comments
-- KEYS[6]  HASH  votes on the parent's replies; only with a parent
-- ARGV[1]  comment id
-- ARGV[2]  user id
-- ARGV[3]  "1" when the user is a moderator
-- ARGV[4]  the wanted vote: "UP", "DOWN" or "NONE"
-- ARGV[5]  prefix of users of the partition, whose blocks count
-- Returns  {changed, up, down}: 1 when the vote is another now, and the counts
-- Errors   NOT_FOUND, LOCKED when it or its topic is deleted, BLOCKED when the topic's author
--          has blocked the user, who may still take a vote back
local c = redis.call("HMGET", KEYS[1], "topic", "deleted", "upBase", "downBase")
local t = redis.call("HMGET", KEYS[2], "state", "author")
if not c[1] or not t[1] or (t[1] == "DELETED" and ARGV[2] ~= t[2] and ARGV[3] ~= "1") then
  return redis.error_reply("NOT_FOUND subjectId")
end
if c[2] or t[1] ~= "OPEN" then
  return redis.error_reply("LOCKED subjectId")
end
if ARGV[4] ~= "NONE" and redis.call("ZSCORE", ARGV[5] .. t[2] .. ":blocked", ARGV[2]) then
  return redis.error_reply("BLOCKED subjectId")
end

local was = "NONE"
if redis.call("ZSCORE", KEYS[3], ARGV[2]) then
  was = "UP"
elseif redis.call("ZSCORE", KEYS[4], ARGV[2]) then
  was = "DOWN"
end
if was == ARGV[4] then
  local counts = redis.call("HMGET", KEYS[1], "up", "down")
  return {0, tonumber(counts[1] or "0"), tonumber(counts[2] or "0")}
end
redis.call("ZREM", KEYS[3], ARGV[2])
redis.call("ZREM", KEYS[4], ARGV[2])
if ARGV[4] ~= "NONE" then
  redis.call("ZADD", ARGV[4] == "UP" and KEYS[3] or KEYS[4], ARGV[2], ARGV[2])
end
local up = tonumber(c[3] or "0") + redis.call("ZCARD", KEYS[3])
local down = tonumber(c[4] or "0") + redis.call("ZCARD", KEYS[4])
redis.call("HSET", KEYS[1], "up", string.format("%d", up), "down", string.format("%d", down))
for _, tally in ipairs({KEYS[5], KEYS[6]}) do
  if up + down > 0 then
    redis.call("HSET", tally, ARGV[1], string.format("%d %d", up, down))
  else
    redis.call("HDEL", tally, ARGV[1])
  end
end
return {1, up, down}
