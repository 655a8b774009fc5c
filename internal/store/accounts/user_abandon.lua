-- Abandons the caller's own registration.
-- INCLUDE release
-- KEYS user     HASH    the user
-- KEYS releases SET     claims that the user releases
-- ARGV id       user    the user
-- ARGV nonce    string  nonce of the registration
-- Returns  1 if it is abandoned, now or before; 0 if the registration has ended
local state = redis.call("HGET", user, "state")
local now_nonce, login_claim, email_claim, look_claims, invitation = unpack(redis.call("HMGET", internal(user),
  "nonce", "loginClaim", "emailClaim", "lookClaims", "invitation"))
if now_nonce == nonce and (state == "ACTIVE" or state == "APPLIED") then
  return 0
end
if now_nonce ~= nonce or state ~= "PENDING" then
  return 1
end
redis.call("HSET", user, "state", "GONE")
redis.call("HSET", internal(user), "rev", "2")
if login_claim then
  release(releases, login_claim, id, nonce)
end
if email_claim then
  release(releases, email_claim, id, nonce)
end
for claim in string.gmatch(look_claims or "", "%S+") do
  release(releases, claim, id, nonce)
end
if invitation then
  release(releases, invitation, id, nonce)
end
return 1
