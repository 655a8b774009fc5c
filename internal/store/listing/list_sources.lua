-- Reads the users on a list whose posts the owner may see there. Changes nothing.
-- KEYS list     HASH  the list
-- KEYS members  ZSET  the users on it
-- KEYS blocked  ZSET  users that the owner has blocked
-- KEYS blockers ZSET  users who have blocked the owner
-- ARGV viewer   user  the viewer
-- Returns  ids; none if the list is not the viewer's
local users = {}
if redis.call("HGET", list, "owner") == viewer then
  for _, user in ipairs(redis.call("ZRANGE", members, 0, -1)) do
    if not redis.call("ZSCORE", blocked, user) and not redis.call("ZSCORE", blockers, user) then
      users[#users + 1] = user
    end
  end
end
return users
