-- Abandons the caller's own change of login.
-- INCLUDE login_change
-- KEYS user     HASH    the user
-- KEYS releases SET     claims that the user releases
-- ARGV id       user    the user
-- ARGV nonce    string  nonce of the change
-- Returns  1, or 0 if it has already ended
local now_nonce, claims = unpack(redis.call("HMGET", internal(user), "newLoginNonce", "newLoginClaims"))
if now_nonce ~= nonce then
  return 0
end
release_claims(releases, claims, id, nonce, "")
forget_login_change(user)
return 1
