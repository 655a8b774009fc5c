-- Ends a change of login, and releases claims. Claims are names of keys, separated by spaces.

local function forget_login_change(user)
  redis.call("HDEL", internal(user), "newLogin", "newLoginFold", "newLoginNonce", "newLoginClaims", "newLoginSince")
end

-- Queues the release of a user's claims, which then rest until a time, "" for not at all.
local function release_claims(releases, claims, user, nonce, rest)
  for claim in string.gmatch(claims or "", "%S+") do
    redis.call("SADD", releases, claim .. " " .. user .. "/" .. nonce .. (rest ~= "" and " " .. rest or ""))
  end
end
