-- Checks a claim in its holder's slot. A registration, or a change of e-mail or login, that exceeds its time limit
-- is abandoned here, permanently.
-- INCLUDE release email_change staff login_change
-- KEYS user        HASH    the holder
-- KEYS releases    SET     claims that the holder releases
-- ARGV id          user    the user
-- ARGV claim       string  key of the claim
-- ARGV asked_nonce string  nonce of the claim; "" only checks whether a change is in progress
-- ARGV field       string  field that the claim concerns: fold, emailFold or lookClaims
-- ARGV value       string  its value, or one of its values
-- ARGV now         time    now
-- ARGV limit       millis  how long a registration or change may take
-- Returns  "HELD", "FRESH" (a registration or change in progress), "GIVEN" if the holder is to release it, or "STALE"
local account = internal(user)
local state = redis.call("HGET", user, "state")
local since, registered, login_claim, email_nonce, email_claim,
  new_nonce, new_claim, new_fold, new_since, look_claims, login_nonce, invitation = unpack(redis.call("HMGET", account,
  "since", "nonce", "loginClaim", "emailNonce", "emailClaim",
  "newEmailNonce", "newEmailClaim", "newEmailFold", "newEmailSince", "lookClaims", "loginNonce", "invitation"))
local held = redis.call("HGET", field == "fold" and user or account, field)
-- Reports whether the claim is to be released: what is to be written before or instead of it may not be yet.
local function given_up()
  local start = claim .. " " .. id .. "/" .. asked_nonce
  for _, member in ipairs(redis.call("SMEMBERS", releases)) do
    if member == start or string.sub(member, 1, #start + 1) == start .. " " then
      return true
    end
  end
  return false
end
local function late(begun)
  return tonumber(begun) + tonumber(limit) <= tonumber(now)
end
local function give(held_claim, nonce)
  if held_claim then
    release(releases, held_claim, id, nonce)
  end
end

-- The nonces of an account's e-mail and login are those of its registration, or of their last changes.
local nonce = login_nonce or registered
if field == "emailFold" then
  nonce = email_nonce
end
local known = held == value or (field == "lookClaims" and string.find(" " .. (held or "") .. " ", " " .. value .. " ", 1, true))
local asked = asked_nonce == "" or (nonce == asked_nonce and known)
if state == "PENDING" then
  if not asked then
    return "STALE"
  end
  if not late(since) then
    return "FRESH"
  end
  redis.call("HSET", user, "state", "GONE")
  redis.call("HSET", account, "rev", "2")
  give(login_claim, registered)
  give(email_claim, email_nonce)
  give(invitation, registered)
  for look in string.gmatch(look_claims or "", "%S+") do
    give(look, registered)
  end
  return "STALE"
end
if state ~= "ACTIVE" and state ~= "APPLIED" then
  return given_up() and "GIVEN" or "STALE"
end
if asked and asked_nonce ~= "" then
  return "HELD"
end
local fresh = false
if new_nonce and (asked_nonce == "" or (field == "emailFold" and new_nonce == asked_nonce and new_fold == value)) then
  if late(new_since) then
    give(new_claim, new_nonce)
    forget_email_change(user)
  else
    fresh = true
  end
end

local next_nonce, next_fold, next_claims, next_since = unpack(redis.call("HMGET", account,
  "newLoginNonce", "newLoginFold", "newLoginClaims", "newLoginSince"))
local function is_next()
  return next_nonce == asked_nonce and (field == "fold" and value == next_fold or
    field == "lookClaims" and string.find(" " .. next_claims .. " ", " " .. value .. " ", 1, true))
end
if next_nonce and (asked_nonce == "" or is_next()) then
  if late(next_since) then
    abandon_login_change(user, releases, id)
  else
    fresh = true
  end
end
if fresh then
  return "FRESH"
end
return given_up() and "GIVEN" or "STALE"
