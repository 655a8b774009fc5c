-- Takes an account at an issuer from a user, and with it the way to sign in, and the sessions and API tokens that came
-- from it.
-- INCLUDE changed origin
-- KEYS user      HASH   the user
-- KEYS externals HASH   the user's accounts at issuers
-- KEYS releases  SET    claims that the user releases
-- KEYS sessions  HASH   the user's sessions
-- KEYS tokens    HASH   the user's API tokens
-- ARGV external  string hash of the account
-- ARGV record    string key of its record
-- ARGV value     string what the record holds; "" if it does not lead to the user
-- ARGV now       time   now
-- Returns  1, or 0 if the user does not have it
if redis.call("HDEL", externals, external) == 0 then
  return 0
end
if redis.call("HGET", internal(user), "external") == external then
  redis.call("HSET", internal(user), "externalGone", "1")
end
if value ~= "" then
  redis.call("SADD", releases, record .. " " .. value)
end
changed(now, user, "CLAIMS")
end_from(user, external, sessions, tokens)
return 1
