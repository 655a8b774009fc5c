-- Lets a user sign in no more, or again.
-- INCLUDE changed
-- KEYS user     HASH    the user
-- KEYS sessions HASH    the user's sessions, which end
-- KEYS tokens   HASH    the user's API tokens, which end, too
-- KEYS takeout  STRING  the take-out of the user, which ends, too
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
changed(nil, user, "ACCESS")
return 1
