-- Sets one user's vote on a topic, moving or taking back an earlier one.
-- KEYS[1]  HASH  the topic
-- KEYS[2]  ZSET  users who voted up, by id
-- KEYS[3]  ZSET  users who voted down, by id
-- KEYS[4]  ZSET  dirty marks of the partition
-- KEYS[5]  ZSET  due tasks of the partition
-- KEYS[6]  HASH  the task that writes the user's log
-- ARGV[1]  topic id
-- ARGV[2]  user id
-- ARGV[3]  "1" when the user is a moderator
-- ARGV[4]  now, Unix ms
-- ARGV[5]  the wanted vote: "UP", "DOWN" or "NONE"
-- ARGV[6]  how long an article takes votes, ms
-- ARGV[7]  how long the voters are kept after that, ms
-- ARGV[8]  end of the caller's lease of the task, Unix ms
-- ARGV[9]  name of the task
-- ARGV[10] prefix of users of the partition, whose blocks count
-- Returns  {changed, dirty, time of the vote, n, kind, state of the topic...}: 1 when
--          the vote is another now; 1 when the indexes may lag behind; for the log,
--          0 and 0 when there is nothing to write; what the indexes need
-- Errors   NOT_FOUND, LOCKED when it is deleted, VOTING_CLOSED with the time, BLOCKED when
--          the author has blocked the user, who may still take a vote back
local t = redis.call("HMGET", KEYS[1], "state", "author", "kind", "created", "upBase", "downBase", "voted")
if not t[1] or (t[1] == "DELETED" and ARGV[2] ~= t[2] and ARGV[3] ~= "1") then
  return redis.error_reply("NOT_FOUND subjectId")
end
if t[1] ~= "OPEN" then
  return redis.error_reply("LOCKED subjectId")
end
local closes = tonumber(t[4]) + tonumber(ARGV[6])
if t[3] == "ARTICLE" and tonumber(ARGV[4]) >= closes then
  return redis.error_reply("VOTING_CLOSED subjectId " .. string.format("%.0f", closes))
end
if ARGV[5] ~= "NONE" and redis.call("ZSCORE", ARGV[10] .. t[2] .. ":blocked", ARGV[2]) then
  return redis.error_reply("BLOCKED subjectId")
end

local was = "NONE"
if redis.call("ZSCORE", KEYS[2], ARGV[2]) then
  was = "UP"
elseif redis.call("ZSCORE", KEYS[3], ARGV[2]) then
  was = "DOWN"
end
local changed, voted, n = 0, "0", "0"
if was ~= ARGV[5] then
  changed = 1
  redis.call("ZREM", KEYS[2], ARGV[2])
  redis.call("ZREM", KEYS[3], ARGV[2])
  if ARGV[5] ~= "NONE" then
    local side = ARGV[5] == "UP" and KEYS[2] or KEYS[3]
    redis.call("ZADD", side, ARGV[2], ARGV[2])
    if t[3] == "ARTICLE" then
      redis.call("EXPIREAT", side, string.format("%.0f", math.ceil((closes + tonumber(ARGV[7])) / 1000)))
    end
  end
  redis.call("HSET", KEYS[1],
    "up", string.format("%d", tonumber(t[5] or "0") + redis.call("ZCARD", KEYS[2])),
    "down", string.format("%d", tonumber(t[6] or "0") + redis.call("ZCARD", KEYS[3])))
  redis.call("HINCRBY", KEYS[1], "rev", 1)
  redis.call("ZADD", KEYS[4], "NX", ARGV[4], "t:" .. ARGV[1])
  redis.call("PUBLISH", KEYS[1], "t")
  if t[3] == "ARTICLE" then
    -- Later votes have later times, whatever the clocks say: the log knows by them
    -- which of two writes is older.
    voted = string.format("%.0f", math.max(tonumber(ARGV[4]), tonumber(t[7] or "0") + 1))
    redis.call("HSET", KEYS[1], "voted", voted)
    -- No token comes twice, though tasks of this name come and go: one that is ended
    -- late must not end the next. There is room for those of its claims.
    n = voted .. "00"
    redis.call("HSET", KEYS[6], "n", n, "attempts", "1", "cursor", voted .. " " .. ARGV[5])
    redis.call("ZADD", KEYS[5], ARGV[8], ARGV[9])
  end
end
local reply = redis.call("HMGET", KEYS[1], "rev", "state", "created", "active", "category", "left", "author",
  "up", "down", "tags", "leftTags", "day", "dayComments", "dayBefore", "fan")
local dirty = redis.call("ZSCORE", KEYS[4], "t:" .. ARGV[1]) and 1 or 0
for i, v in ipairs({changed, dirty, voted, n, t[3]}) do
  table.insert(reply, i, v)
end
return reply
