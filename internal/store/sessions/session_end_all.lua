-- Ends all sessions and API tokens of a user, and refuses the tokens of issuers that were issued until now.
-- INCLUDE changed
-- KEYS user     HASH    the user
-- KEYS sessions HASH    the user's sessions
-- KEYS tokens   HASH    the API tokens of the user
-- KEYS takeout  STRING  the take-out of the user, which ends, too
-- ARGV now      time    now
-- Returns  1
-- Errors   NOT_FOUND if there is no such account
if redis.call("HGET", user, "state") ~= "ACTIVE" then
  return redis.error_reply("NOT_FOUND userId")
end
redis.call("HSET", internal(user), "validSince", now)
redis.call("DEL", sessions, tokens, takeout)
changed(nil, user, "ACCESS")
return 1
