-- Reads a home with what it is made from. Changes nothing.
-- KEYS[1]  HASH  the owner
-- KEYS[2]  ZSET  users whom the owner follows
-- KEYS[3]  ZSET  categories and tags that the owner follows
-- KEYS[4]  ZSET  users whom the owner has blocked
-- KEYS[5]  ZSET  users who have blocked the owner
-- KEYS[6]  ZSET  the home
-- ARGV[1]  "1" to give the topics of the home too
-- Returns  {state, epoch, floor, users, categories and
--          tags, users in blocks, topics of the home from the oldest on}
local u = redis.call("HMGET", KEYS[1], "state", "homeEpoch", "homeFloor")
local apart = redis.call("ZRANGE", KEYS[4], 0, -1)
for _, user in ipairs(redis.call("ZRANGE", KEYS[5], 0, -1)) do
  apart[#apart + 1] = user
end
local topics = {}
if ARGV[1] == "1" then
  topics = redis.call("ZRANGE", KEYS[6], 0, -1)
end
return {u[1] or "", u[2] or "", u[3] or "",
  redis.call("ZRANGE", KEYS[2], 0, -1), redis.call("ZRANGE", KEYS[3], 0, -1), apart, topics}
