-- Sets a user's role.
-- KEYS user     HASH    the user
-- KEYS sessions HASH    the user's sessions
-- ARGV role     string  the role
-- Returns  1
-- Errors   NOT_FOUND if there is no such account
if redis.call("HGET", user, "state") ~= "ACTIVE" then
  return redis.error_reply("NOT_FOUND userId")
end
redis.call("HSET", user, "role", role)
redis.call("PUBLISH", sessions, "")
return 1
