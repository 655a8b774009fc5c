-- Begins a change of e-mail: records the new one, which is claimed next.
-- INCLUDE changed release email_change
-- KEYS user     HASH    the user
-- KEYS releases SET     claims that the user releases
-- ARGV id       user    the user
-- ARGV password string  password hash that the password was checked against
-- ARGV now      time    now
-- ARGV limit    millis  how long a change may take
-- ARGV email    string  new e-mail
-- ARGV fold     string  its folded form
-- ARGV nonce    string  nonce of the change
-- ARGV claim    string  name of the claim's key
-- Returns  1, or 0 if it is the same address, of which only the spelling was changed
-- Errors   UNAUTHENTICATED if the account is not active, WRONG_CREDENTIALS
--          if the password was changed concurrently, CONFLICT if another
--          change is in progress
local account = internal(user)
local now_password, old_fold, pending_nonce, pending_claim, pending_since = unpack(redis.call("HMGET", account,
  "password", "emailFold", "newEmailNonce", "newEmailClaim", "newEmailSince"))
if redis.call("HGET", user, "state") ~= "ACTIVE" then
  return redis.error_reply("UNAUTHENTICATED")
end
if now_password ~= password then
  return redis.error_reply("WRONG_CREDENTIALS password")
end
if pending_nonce and tonumber(pending_since) + tonumber(limit) > tonumber(now) then
  return redis.error_reply("CONFLICT email")
end

if pending_nonce then
  release(releases, pending_claim, id, pending_nonce)
  forget_email_change(user)
end
if old_fold == fold then
  redis.call("HSET", account, "email", email)
  return 0
end
redis.call("HSET", account, "newEmail", email, "newEmailFold", fold, "newEmailNonce", nonce,
  "newEmailClaim", claim, "newEmailSince", now)
redis.call("HINCRBY", account, "rev", 1)
changed(now, user, "CLAIMS")
return 1
