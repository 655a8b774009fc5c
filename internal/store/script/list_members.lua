-- Puts users on a list and takes users off it. What lies in their slots is left to a task.
-- KEYS[1]  HASH  the list
-- KEYS[2]  ZSET  the users on it, by time (Unix µs)
-- KEYS[3]  HASH  the owner
-- KEYS[4]  ZSET  due tasks of the partition
-- KEYS[5]  HASH  the task that tells the users
-- KEYS[6]  ZSET  users whom the owner has blocked
-- KEYS[7]  ZSET  users who have blocked the owner
-- ARGV[1]  viewer's id
-- ARGV[2]  now, Unix µs
-- ARGV[3]  end of the caller's lease of the task, Unix ms
-- ARGV[4]  name of the task
-- ARGV[5]  most users on a list
-- ARGV[6]  how many come
-- ARGV[7...] the users who come, then those who go
-- Returns  {n, cursor}: the task's fencing token and whom it is about; "0" when nothing changed
-- Errors   NOT_FOUND when it is not the viewer's, BLOCKED at the one in a block with the
--          owner, TOO_LONG_LIST
if redis.call("HGET", KEYS[1], "owner") ~= ARGV[1] then
  return redis.error_reply("NOT_FOUND listId")
end
local come, go, coming, going = {}, {}, 6 + tonumber(ARGV[6]), {}
for i = 7, #ARGV do
  local on = redis.call("ZSCORE", KEYS[2], ARGV[i])
  if i > coming then
    if on and not going[ARGV[i]] then
      going[ARGV[i]] = true
      go[#go + 1] = ARGV[i]
    end
  else
    if redis.call("ZSCORE", KEYS[6], ARGV[i]) or redis.call("ZSCORE", KEYS[7], ARGV[i]) then
      return redis.error_reply("BLOCKED add." .. string.format("%d", i - 7))
    end
    if not on and not going[ARGV[i]] then
      going[ARGV[i]] = true
      come[#come + 1] = ARGV[i]
    end
  end
end
if #come > 0 and redis.call("ZCARD", KEYS[2]) + #come - #go > tonumber(ARGV[5]) then
  return redis.error_reply("TOO_LONG_LIST add")
end
if #come + #go == 0 then
  return {"0", ""}
end

local ltime = tonumber(redis.call("HGET", KEYS[3], "ltime") or "0")
local now = math.max(tonumber(ARGV[2]), ltime + 1)
for _, user in ipairs(go) do
  redis.call("ZREM", KEYS[2], user)
end
for i, user in ipairs(come) do
  redis.call("ZADD", KEYS[2], string.format("%.0f", now + i), user)
end
redis.call("HSET", KEYS[3], "ltime", string.format("%.0f", now + #come))
local t = redis.call("HMGET", KEYS[5], "n", "cursor")
local n = string.format("%.0f", math.max(1000 * redis.call("HINCRBY", KEYS[3], "armed", 1), tonumber(t[1] or "0") + 1))
local cursor = table.concat(come, " ") .. " " .. table.concat(go, " ") .. " " .. (t[2] or "")
redis.call("HSET", KEYS[5], "n", n, "attempts", "1", "cursor", cursor)
redis.call("ZADD", KEYS[4], ARGV[3], ARGV[4])
redis.call("PUBLISH", KEYS[1], "")
return {n, cursor}
