-- Sets or ends an edge that a user draws: following, blocking, keeping a topic. The
-- user's side is the truth; what lies in the other's slot is left to a task.
-- KEYS[1]  HASH  the user
-- KEYS[2]  ZSET  the user's side, by time (Unix µs)
-- KEYS[3]  ZSET  due tasks of the partition
-- KEYS[4]  HASH  the task that writes the other side
-- KEYS[5]  ZSET  users whom the user has blocked
-- KEYS[6]  ZSET  users who have blocked the user
-- KEYS[7]  STREAM  what happened among bookmarks; only while they are watched
-- ARGV[1]  member of the user's side
-- ARGV[2]  "1" to set the edge, "0" to end it, "b" to end it if there is a block, "d" to end
--          it without a task: the far end is gone, and the caller sees to the other side
-- ARGV[3]  now, Unix µs
-- ARGV[4]  end of the caller's lease of the task, Unix ms
-- ARGV[5]  name of the task
-- ARGV[6]  field of the user that counts the side, "" for none
-- ARGV[7]  user with whom there must be no block, "" for none
-- ARGV[8]  most entries of the user's side, "" for any number
-- ARGV[9]  "1" when such edges decide on what comes home
-- ARGV[10] cursor of the task
-- ARGV[11] about how many events a stream keeps
-- Returns  {changed, time, n}: 1 when it is another now; since when the edge stands, or
--          when edges of the user changed last (Unix µs); the task's fencing token
-- Errors   UNAUTHENTICATED when the account is not active, BLOCKED,
--          TOO_LONG_BOOKMARKS
local u = redis.call("HMGET", KEYS[1], "state", "etime")
local etime = tonumber(u[2] or "0")
if u[1] ~= "ACTIVE" then
  if ARGV[2] == "1" then
    return redis.error_reply("UNAUTHENTICATED")
  end
  return {0, string.format("%.0f", etime), "0"}
end
local since = redis.call("ZSCORE", KEYS[2], ARGV[1])
local apart = ARGV[7] ~= "" and (redis.call("ZSCORE", KEYS[5], ARGV[7]) or redis.call("ZSCORE", KEYS[6], ARGV[7]))
local set = ARGV[2] == "1"
if (since ~= false) == set or (ARGV[2] == "b" and not apart) then
  return {0, string.format("%.0f", tonumber(since or etime)), "0"}
end
if set and apart then
  return redis.error_reply("BLOCKED targetId")
end
if set and ARGV[8] ~= "" and redis.call("ZCARD", KEYS[2]) >= tonumber(ARGV[8]) then
  return redis.error_reply("TOO_LONG_BOOKMARKS topicId")
end

-- Each change has a later time than the one before, whatever the clocks say: the other
-- side knows by it which of two writes is older.
local now = string.format("%.0f", math.max(tonumber(ARGV[3]), etime + 1))
if set then
  redis.call("ZADD", KEYS[2], now, ARGV[1])
else
  redis.call("ZREM", KEYS[2], ARGV[1])
end
redis.call("HSET", KEYS[1], "etime", now)
if redis.call("EXISTS", KEYS[7]) == 1 then
  redis.call("XADD", KEYS[7], "MAXLEN", "~", ARGV[11], "*", "k", set and "A" or "R", "m", ARGV[1], "o", "")
  redis.call("PUBLISH", KEYS[7], "")
end
if ARGV[9] == "1" then
  redis.call("HINCRBY", KEYS[1], "homeEpoch", 1)
end
if ARGV[6] ~= "" then
  redis.call("HSET", KEYS[1], ARGV[6], redis.call("ZCARD", KEYS[2]))
end
if ARGV[2] == "d" then
  return {1, now, "0"}
end
-- No token comes twice, though tasks of this name come and go: one that is ended late
-- must not end the next. There is room for those of its claims.
local n = string.format("%.0f", math.max(1000 * redis.call("HINCRBY", KEYS[1], "armed", 1),
  tonumber(redis.call("HGET", KEYS[4], "n") or "0") + 1))
redis.call("HSET", KEYS[4], "n", n, "attempts", "1", "cursor", ARGV[10])
redis.call("ZADD", KEYS[3], ARGV[4], ARGV[5])
return {1, now, n}
