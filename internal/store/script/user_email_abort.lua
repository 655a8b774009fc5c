-- Gives up one's own change of e-mail.
-- INCLUDE release email_change
-- KEYS user     HASH    the user
-- KEYS releases SET     claims that the user gives back
-- ARGV id       user    the user
-- ARGV nonce    string  nonce of the change
-- Returns  1, or 0 when it was ended before
local now_nonce, claim = unpack(redis.call("HMGET", user, "newEmailNonce", "newEmailClaim"))
if now_nonce ~= nonce then
  return 0
end
release(releases, claim, id, nonce)
forget_email_change(user)
return 1
