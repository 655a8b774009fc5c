-- Sets the password and ends the user's sessions, but for one.
-- KEYS[1]  HASH  the user
-- KEYS[2]  HASH  the user's sessions
-- ARGV[1]  password hash that the present password was checked against; "*" for any
-- ARGV[2]  new password hash
-- ARGV[3]  digest of the session that stays, or ""
-- Returns  1
-- Errors   UNAUTHENTICATED when the account is not active, WRONG_CREDENTIALS
--          when the password was changed meanwhile
local u = redis.call("HMGET", KEYS[1], "state", "password")
if u[1] ~= "ACTIVE" then
  return redis.error_reply("UNAUTHENTICATED")
end
if ARGV[1] ~= "*" and u[2] ~= ARGV[1] then
  return redis.error_reply("WRONG_CREDENTIALS currentPassword")
end
redis.call("HSET", KEYS[1], "password", ARGV[2])
redis.call("PUBLISH", KEYS[2], "")
for _, digest in ipairs(redis.call("HKEYS", KEYS[2])) do
  if digest ~= ARGV[3] then
    redis.call("HDEL", KEYS[2], digest)
  end
end
return 1
