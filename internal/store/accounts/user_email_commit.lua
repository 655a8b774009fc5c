-- Completes a change of e-mail: from now on the new one is the account's.
-- INCLUDE release email_change bar_email
-- KEYS user     HASH    the user
-- KEYS releases SET     claims that the user releases
-- ARGV id       user    the user
-- ARGV nonce    string  nonce of the change
-- ARGV now      time    now
-- Returns  1, or 0 if the change was abandoned concurrently
local account = internal(user)
local new_nonce, old_claim, old_nonce, email, fold, claim = unpack(redis.call("HMGET", account,
  "newEmailNonce", "emailClaim", "emailNonce", "newEmail", "newEmailFold", "newEmailClaim"))
if redis.call("HGET", user, "state") ~= "ACTIVE" then
  return 0
end
if old_nonce == nonce then -- done before: the reply was lost
  return 1
end
if new_nonce ~= nonce then
  return 0
end
if old_claim then
  release(releases, old_claim, id, old_nonce .. barred(user, now))
end
redis.call("HSET", account, "email", email, "emailFold", fold, "emailNonce", nonce, "emailClaim", claim)
forget_email_change(user)
return 1
