-- Sets the password, ends the user's sessions, except one, and revokes the API tokens.
-- INCLUDE changed
-- KEYS user         HASH    the user
-- KEYS sessions     HASH    the user's sessions
-- KEYS tokens       HASH    the user's API tokens
-- KEYS takeout      STRING  the take-out of the user, which ends, too
-- ARGV password     string  password hash that the current password was checked against; "*" for any
-- ARGV new_password string  new password hash
-- ARGV keep         string  digest of the session to keep, or ""
-- Returns  1
-- Errors   UNAUTHENTICATED if the account is not active, WRONG_CREDENTIALS
--          if the password was changed concurrently
if redis.call("HGET", user, "state") ~= "ACTIVE" then
  return redis.error_reply("UNAUTHENTICATED")
end
if password ~= "*" and redis.call("HGET", internal(user), "password") ~= password then
  return redis.error_reply("WRONG_CREDENTIALS currentPassword")
end
redis.call("HSET", internal(user), "password", new_password)
changed(nil, user, "ACCESS")
redis.call("DEL", tokens, takeout)
for _, digest in ipairs(redis.call("HKEYS", sessions)) do
  if digest ~= keep then
    redis.call("HDEL", sessions, digest)
  end
end
return 1
