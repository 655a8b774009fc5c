-- Sets the password and ends the user's sessions, except one.
-- KEYS user         HASH    the user
-- KEYS sessions     HASH    the user's sessions
-- ARGV password     string  password hash that the current password was checked against; "*" for any
-- ARGV new_password string  new password hash
-- ARGV keep         string  digest of the session to keep, or ""
-- Returns  1
-- Errors   UNAUTHENTICATED if the account is not active, WRONG_CREDENTIALS
--          if the password was changed concurrently
local state, now_password = unpack(redis.call("HMGET", user, "state", "password"))
if state ~= "ACTIVE" then
  return redis.error_reply("UNAUTHENTICATED")
end
if password ~= "*" and now_password ~= password then
  return redis.error_reply("WRONG_CREDENTIALS currentPassword")
end
redis.call("HSET", user, "password", new_password)
redis.call("PUBLISH", sessions, "")
for _, digest in ipairs(redis.call("HKEYS", sessions)) do
  if digest ~= keep then
    redis.call("HDEL", sessions, digest)
  end
end
return 1
