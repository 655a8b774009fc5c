-- Completes a registration: from now on the account exists, unless moderators are to approve it.
-- INCLUDE changed
-- KEYS user    HASH    the user
-- KEYS stats   HASH    site counters of the partition
-- KEYS externals HASH  the user's accounts at issuers
-- ARGV nonce    string nonce of the registration
-- ARGV created  time   when the account was created
-- ARGV external string hash of the account at an issuer that it is for; "" for none
-- ARGV entry    string its entry
-- ARGV applies  flag   whether moderators are to approve it
-- ARGV prepared flag   whether it is made for a member who has not come yet, and is not listed until then
-- Returns  1 if the account is registered, 2 if it is and its e-mail has changed since, 3 if it is and its member has not
--          come yet, 0 if the registration was abandoned
local state = redis.call("HGET", user, "state")
local now_nonce, email_nonce = unpack(redis.call("HMGET", internal(user), "nonce", "emailNonce"))
if now_nonce ~= nonce then
  return 0
end
if state == "ACTIVE" or state == "APPLIED" then
  redis.call("HSET", user, "state", state)
  if redis.call("HEXISTS", internal(user), "prepared") == 1 then
    return 3
  end
  return (not email_nonce or email_nonce == nonce) and 1 or 2
end
if state ~= "PENDING" then
  return 0
end
if not prepared then
  redis.call("HSET", internal(user), "unlisted", "1")
end
if applies then
  redis.call("HSET", user, "state", "APPLIED")
  redis.call("HSET", internal(user), "applied", created)
  return 1
end
redis.call("HSET", user, "state", "ACTIVE", "created", created)
if external ~= "" then
  redis.call("HSET", externals, external, entry)
  redis.call("HSET", internal(user), "owned", "-")
end
changed(created, user, "CREATED")
if prepared then
  redis.call("HSET", internal(user), "prepared", "1")
  return 3
end
redis.call("HINCRBY", stats, "users", 1)
return 1
