-- Adds an account at an issuer to a user. It counts once its record leads to the user, which is written next; the sweeper
-- writes it, or takes the account back, if this is not finished.
-- INCLUDE changed
-- KEYS user      HASH   the user
-- KEYS externals HASH   the user's accounts at issuers
-- ARGV external  string hash of the account
-- ARGV entry     string its entry
-- ARGV most      int    maximum number of accounts
-- ARGV nonce     string nonce of the link
-- ARGV now       time   now
-- Returns  1, or 0 if the user has it
-- Errors   NOT_FOUND if there is no such user, TOO_LONG_EXTERNAL
if redis.call("HGET", user, "state") ~= "ACTIVE" then
  return redis.error_reply("NOT_FOUND userId")
end
if redis.call("HEXISTS", externals, external) == 1 then
  return 0
end
if redis.call("HLEN", externals) >= tonumber(most) then
  return redis.error_reply("TOO_LONG_EXTERNAL external")
end
redis.call("HSET", externals, external, entry)
redis.call("HSETNX", internal(user), "owned", "login name avatar role") -- what the user has was set here
redis.call("HSET", internal(user), "linking", nonce)
changed(now, user, "CLAIMS")
return 1
