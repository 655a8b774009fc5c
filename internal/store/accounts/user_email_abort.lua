-- Abandons the caller's own change of e-mail.
-- INCLUDE release email_change
-- KEYS user     HASH    the user
-- KEYS releases SET     claims that the user releases
-- ARGV id       user    the user
-- ARGV nonce    string  nonce of the change
-- Returns  1, or 0 if it has already ended
local now_nonce, claim = unpack(redis.call("HMGET", internal(user), "newEmailNonce", "newEmailClaim"))
if now_nonce ~= nonce then
  return 0
end
release(releases, claim, id, nonce)
forget_email_change(user)
return 1
