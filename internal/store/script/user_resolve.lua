-- Checks a claim in its holder's slot. A registration or a change of e-mail that exceeds its time limit is
-- abandoned here, permanently.
-- INCLUDE release email_change
-- KEYS user        HASH    the holder
-- KEYS releases    SET     claims that the holder releases
-- KEYS dirty       ZSET    dirty marks of the partition
-- ARGV id          user    the user
-- ARGV asked_nonce string  nonce of the claim; "" only checks whether a change is in progress
-- ARGV field       string  field that the claim concerns: fold, emailFold or lookClaims
-- ARGV value       string  its value, or one of its values
-- ARGV now         time    now
-- ARGV limit       millis  how long a registration or change may take
-- Returns  "HELD", "FRESH" (a registration or change in progress) or "STALE"
local state, since, registered, login_claim, email_nonce, email_claim,
  new_nonce, new_claim, new_fold, new_since, held, look_claims = unpack(redis.call("HMGET", user,
  "state", "since", "nonce", "loginClaim", "emailNonce", "emailClaim",
  "newEmailNonce", "newEmailClaim", "newEmailFold", "newEmailSince", field, "lookClaims"))
local function late(begun)
  return tonumber(begun) + tonumber(limit) <= tonumber(now)
end
local function give(claim, nonce)
  if claim then
    release(releases, claim, id, nonce)
  end
  redis.call("ZADD", dirty, "NX", now, "u:" .. id)
end

-- The nonce of an account's e-mail is that of its registration or of its last e-mail change.
local nonce = field == "emailFold" and email_nonce or registered
local known = held == value or (field == "lookClaims" and string.find(" " .. (held or "") .. " ", " " .. value .. " ", 1, true))
local asked = asked_nonce == "" or (nonce == asked_nonce and known)
if state == "PENDING" then
  if not asked then
    return "STALE"
  end
  if not late(since) then
    return "FRESH"
  end
  redis.call("HSET", user, "state", "GONE", "rev", "2")
  give(login_claim, registered)
  give(email_claim, email_nonce)
  for claim in string.gmatch(look_claims or "", "%S+") do
    give(claim, registered)
  end
  return "STALE"
end
if state ~= "ACTIVE" then
  return "STALE"
end
if asked and asked_nonce ~= "" then
  return "HELD"
end
if new_nonce and (asked_nonce == "" or (field == "emailFold" and new_nonce == asked_nonce and new_fold == value)) then
  if not late(new_since) then
    return "FRESH"
  end
  give(new_claim, new_nonce)
  forget_email_change(user)
end
return "STALE"
