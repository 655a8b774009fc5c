-- Ends a change of login, and releases claims. Claims are names of keys, separated by spaces.

local function forget_login_change(user)
  redis.call("HDEL", internal(user), "newLogin", "newLoginFold", "newLoginNonce", "newLoginClaims", "newLoginSince")
end

-- Queues the release of a user's claims, which then rest until a time: "0" is forever, "" not at all.
local function release_claims(releases, claims, user, nonce, rest)
  for claim in string.gmatch(claims or "", "%S+") do
    redis.call("SADD", releases, claim .. " " .. user .. "/" .. nonce .. (rest ~= "" and " " .. rest or ""))
  end
end

-- Abandons the user's change of login, if there is one. What was claimed may be a login that the user had before: it
-- rests as before.
local function abandon_login_change(user, releases, id)
  local nonce, claims, old_claims, old_until = unpack(redis.call("HMGET", internal(user), "newLoginNonce",
    "newLoginClaims", "oldClaims", "oldUntil"))
  if not nonce then
    return
  end
  for claim in string.gmatch(claims, "%S+") do
    local before = string.find(" " .. (old_claims or "") .. " ", " " .. claim .. " ", 1, true) and old_until or ""
    release_claims(releases, claim, id, nonce, rest_of_login(user, before))
  end
  forget_login_change(user)
end
