-- Gives a user a role.
-- KEYS[1]  HASH  the user
-- KEYS[2]  HASH  the user's sessions
-- ARGV[1]  the role
-- Returns  1
-- Errors   NOT_FOUND when there is no such account
if redis.call("HGET", KEYS[1], "state") ~= "ACTIVE" then
  return redis.error_reply("NOT_FOUND userId")
end
redis.call("HSET", KEYS[1], "role", ARGV[1])
redis.call("PUBLISH", KEYS[2], "")
return 1
