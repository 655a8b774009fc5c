-- Abandons the caller's own change of login.
-- INCLUDE staff login_change
-- KEYS user     HASH    the user
-- KEYS releases SET     claims that the user releases
-- ARGV id       user    the user
-- ARGV nonce    string  nonce of the change
-- Returns  1, or 0 if it has already ended
if redis.call("HGET", internal(user), "newLoginNonce") ~= nonce then
  return 0
end
abandon_login_change(user, releases, id)
return 1
