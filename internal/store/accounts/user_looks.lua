-- Replaces the names of the claims on the looks of a user's login, which were claimed before. Claims on others are
-- released.
-- INCLUDE changed release
-- KEYS user     HASH    the user
-- KEYS releases SET     claims that the user releases
-- ARGV id       user    the user
-- ARGV login    string  the login
-- ARGV looks    string  the keys of the claims on its looks, separated by spaces
-- ARGV now      time    now
-- Returns  1, or 0 if the user has another login
local account = internal(user)
local state, present = unpack(redis.call("HMGET", user, "state", "login"))
if (state ~= "ACTIVE" and state ~= "APPLIED") or present ~= login then
  return 0
end
local registered, login_nonce, before = unpack(redis.call("HMGET", account, "nonce", "loginNonce", "lookClaims"))
local released = false
for claim in string.gmatch(before or "", "%S+") do
  if not string.find(" " .. looks .. " ", " " .. claim .. " ", 1, true) then
    release(releases, claim, id, login_nonce or registered)
    released = true
  end
end
if released then
  changed(now, user, "CLAIMS")
end
redis.call("HSET", account, "lookClaims", looks)
return 1
