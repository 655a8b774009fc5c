-- Reads a home and its sources. Changes nothing.
-- KEYS owner       HASH  the owner
-- KEYS following   ZSET  users that the owner follows
-- KEYS subjects    ZSET  categories and tags that the owner follows
-- KEYS blocked     ZSET  users that the owner has blocked
-- KEYS blockers    ZSET  users who have blocked the owner
-- KEYS home        ZSET  the home
-- ARGV with_topics flag  whether to return the topics of the home too
-- RETURN state    string   state of the owner
-- RETURN epoch    string   epoch of the home
-- RETURN watermark string   its watermark
-- RETURN users    strings  users that the owner follows
-- RETURN subjects strings  categories and tags that the owner follows
-- RETURN blocked_users strings  users in a block with the owner
-- RETURN topics   strings  topics of the home, oldest first
local state = redis.call("HGET", owner, "state")
local epoch, watermark = unpack(redis.call("HMGET", internal(owner), "homeEpoch", "homeFloor"))
local blocked_users = redis.call("ZRANGE", blocked, 0, -1)
for _, user in ipairs(redis.call("ZRANGE", blockers, 0, -1)) do
  blocked_users[#blocked_users + 1] = user
end
local topics = {}
if with_topics then
  topics = redis.call("ZRANGE", home, 0, -1)
end
return {
  state = state, epoch = epoch, watermark = watermark,
  users = redis.call("ZRANGE", following, 0, -1),
  subjects = redis.call("ZRANGE", subjects, 0, -1),
  blocked_users = blocked_users,
  topics = topics,
}
