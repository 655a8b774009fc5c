-- Deletes a list of users. What lies in their slots is left to a task.
-- KEYS[1]  HASH  the list
-- KEYS[2]  ZSET  the users on it
-- KEYS[3]  HASH  the owner
-- KEYS[4]  ZSET  due tasks of the partition
-- KEYS[5]  HASH  the task that tells the users
-- KEYS[6]  ZSET  the owner's lists
-- KEYS[7]  HASH  folded name -> list
-- ARGV[1]  list id
-- ARGV[2]  viewer's id
-- ARGV[3]  now, Unix µs
-- ARGV[4]  end of the caller's lease of the task, Unix ms
-- ARGV[5]  name of the task
-- Returns  {n, cursor}: the task's fencing token and whom it is about
-- Errors   NOT_FOUND when it is not the viewer's
local l = redis.call("HMGET", KEYS[1], "owner", "fold")
if l[1] ~= ARGV[2] then
  return redis.error_reply("NOT_FOUND listId")
end
local ltime = tonumber(redis.call("HGET", KEYS[3], "ltime") or "0")
redis.call("HSET", KEYS[3], "ltime", string.format("%.0f", math.max(tonumber(ARGV[3]), ltime + 1)))
local t = redis.call("HMGET", KEYS[5], "n", "cursor")
local n = string.format("%.0f", math.max(1000 * redis.call("HINCRBY", KEYS[3], "armed", 1), tonumber(t[1] or "0") + 1))
local cursor = table.concat(redis.call("ZRANGE", KEYS[2], 0, -1), " ") .. " " .. (t[2] or "")
redis.call("HSET", KEYS[5], "n", n, "attempts", "1", "cursor", cursor)
redis.call("ZADD", KEYS[4], ARGV[4], ARGV[5])
redis.call("DEL", KEYS[1], KEYS[2])
redis.call("PUBLISH", KEYS[1], "")
redis.call("ZREM", KEYS[6], ARGV[1])
if redis.call("HGET", KEYS[7], l[2]) == ARGV[1] then
  redis.call("HDEL", KEYS[7], l[2])
end
return {n, cursor}
