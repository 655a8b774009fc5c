-- Lets a user sign in no more, or again. The user is in no group meanwhile.
-- INCLUDE changed
-- KEYS user     HASH    the user
-- KEYS sessions HASH    the user's sessions, which end
-- KEYS tokens   HASH    the user's API tokens, which end, too
-- KEYS takeout  STRING  the take-out of the user, which ends, too
-- ARGV id       user    the user
-- ARGV off      flag    whether the user cannot sign in
-- ARGV now      time    now
-- Returns  1, or 0 if that was so before
-- Errors   NOT_FOUND if there is no such account
if redis.call("HGET", user, "state") ~= "ACTIVE" then
  return redis.error_reply("NOT_FOUND userId")
end
local deactivated = redis.call("HEXISTS", internal(user), "deactivated") == 1
if deactivated == off then
  return 0
end
if off then
  redis.call("HSET", internal(user), "deactivated", now)
  redis.call("DEL", sessions, tokens, takeout)
else
  redis.call("HDEL", internal(user), "deactivated")
end
if redis.call("HEXISTS", internal(user), "groups") == 1 then
  redis.call("HINCRBY", internal(user), "groupsRev", 1)
  changed(now, string.sub(user, 1, -3 - #id) .. "g:" .. id, "GROUPS")
end
changed(nil, user, "ACCESS")
return 1
