-- Deletes a group. Its members are left to whoever finds the mark.
-- INCLUDE despite_full managed
-- KEYS group    HASH  the group
-- KEYS names    HASH  folded name -> group
-- KEYS all      ZSET  all groups
-- KEYS managers ZSET  its managers
-- KEYS managed  HASH  user -> groups that the user manages
-- KEYS dirty    ZSET  groups that were deleted
-- ARGV id       group the group
-- ARGV now      time  now
-- Returns  1
-- Errors   NOT_FOUND group
local fold = redis.call("HGET", internal(group), "fold")
if not fold then
  return redis.error_reply("NOT_FOUND group")
end
despite_full(dirty)
for _, user in ipairs(redis.call("ZRANGE", managers, 0, -1)) do
  manage(managed, user, id, false)
end
redis.call("HDEL", names, fold)
redis.call("ZREM", all, id)
redis.call("DEL", group, internal(group), managers)
redis.call("ZADD", dirty, now, id)
return 1
