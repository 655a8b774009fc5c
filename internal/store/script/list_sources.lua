-- Reads those on a list of users whose posts the owner may see there. Changes nothing.
-- KEYS[1]  HASH  the list
-- KEYS[2]  ZSET  the users on it
-- KEYS[3]  ZSET  users whom the owner has blocked
-- KEYS[4]  ZSET  users who have blocked the owner
-- ARGV[1]  viewer's id
-- Returns  ids; none when the list is not the viewer's
local users = {}
if redis.call("HGET", KEYS[1], "owner") == ARGV[1] then
  for _, user in ipairs(redis.call("ZRANGE", KEYS[2], 0, -1)) do
    if not redis.call("ZSCORE", KEYS[3], user) and not redis.call("ZSCORE", KEYS[4], user) then
      users[#users + 1] = user
    end
  end
end
return users
