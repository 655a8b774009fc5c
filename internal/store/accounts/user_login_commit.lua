-- Completes a change of login: from now on the new one is the account's, and the old one rests.
-- INCLUDE changed own staff login_change note_said login_by
-- KEYS user     HASH    the user
-- KEYS releases SET     claims that the user releases
-- ARGV id       user    the user
-- ARGV nonce    string  nonce of the change
-- ARGV now      time    now
-- ARGV rest     string  until when the old login is reserved, unless it was staff's, Unix ms; "" if it is free
-- ARGV kept     millis  a login that the user had for a shorter time is free, too
-- Returns  1, or 0 if the change was abandoned concurrently
local account = internal(user)
local state, old_fold, created = unpack(redis.call("HMGET", user, "state", "fold", "created"))
local registered, login_nonce, old_claim, old_looks, new_nonce, login, fold, claims = unpack(redis.call("HMGET", account,
  "nonce", "loginNonce", "loginClaim", "lookClaims", "newLoginNonce", "newLogin", "newLoginFold", "newLoginClaims"))
if state ~= "ACTIVE" then
  return 0
end
if login_nonce == nonce then -- done before: the reply was lost
  return 1
end
if new_nonce ~= nonce then
  return 0
end
if tonumber(redis.call("HGET", account, "renamed") or created) + tonumber(kept) > tonumber(now) then
  rest = ""
end
rest = rest_of_login(user, rest)
local old_claims = old_claim .. " " .. (old_looks or "")
release_claims(releases, old_claims, id, login_nonce or registered, rest)
local claim, looks = string.match(claims, "^(%S+) ?(.*)$")
redis.call("HSETNX", account, "firstFold", old_fold)
set_login(user, login)
redis.call("HSET", user, "fold", fold, "oldFold", old_fold)
redis.call("HSET", account, "loginNonce", nonce, "loginClaim", claim, "lookClaims", looks, "renamed", now,
  "oldClaims", old_claims, "oldUntil", rest, "unlisted", "1")
redis.call("HINCRBY", account, "rev", 1)
forget_login_change(user)
changed(now, user, "LOGIN", user, "CLAIMS")
return 1
