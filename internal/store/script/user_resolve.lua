-- Tells in a claim's holder's slot what the claim is worth. A registration or a
-- change of e-mail that takes longer than it may is given up here, for ever.
-- KEYS[1]  HASH  the holder
-- KEYS[2]  SET   claims that the holder gives back
-- KEYS[3]  ZSET  dirty marks of the partition
-- ARGV[1]  user id
-- ARGV[2]  nonce of the claim; "" asks only whether something is under way
-- ARGV[3]  field that the claim is about: fold, emailFold or lookClaims
-- ARGV[4]  its value, or one of its values
-- ARGV[5]  now, Unix ms
-- ARGV[6]  how long a registration or change may take, ms
-- Returns  "HELD", "FRESH" (a registration or change under way) or "STALE"
local u = redis.call("HMGET", KEYS[1], "state", "since", "nonce", "loginClaim", "emailNonce", "emailClaim",
  "newEmailNonce", "newEmailClaim", "newEmailFold", "newEmailSince", ARGV[3], "lookClaims")
local function late(since)
  return tonumber(since) + tonumber(ARGV[6]) <= tonumber(ARGV[5])
end
local function give(claim, nonce)
  if claim then
    redis.call("SADD", KEYS[2], claim .. " " .. ARGV[1] .. "/" .. nonce)
  end
  redis.call("ZADD", KEYS[3], "NX", ARGV[5], "u:" .. ARGV[1])
end

-- The nonce of an account's e-mail is that of its registration or of its last change.
local nonce = ARGV[3] == "emailFold" and u[5] or u[3]
local known = u[11] == ARGV[4] or (ARGV[3] == "lookClaims" and string.find(" " .. (u[11] or "") .. " ", " " .. ARGV[4] .. " ", 1, true))
local asked = ARGV[2] == "" or (nonce == ARGV[2] and known)
if u[1] == "PENDING" then
  if not asked then
    return "STALE"
  end
  if not late(u[2]) then
    return "FRESH"
  end
  redis.call("HSET", KEYS[1], "state", "GONE", "rev", "2")
  give(u[4], u[3])
  give(u[6], u[5])
  for claim in string.gmatch(u[12] or "", "%S+") do
    give(claim, u[3])
  end
  return "STALE"
end
if u[1] ~= "ACTIVE" then
  return "STALE"
end
if asked and ARGV[2] ~= "" then
  return "HELD"
end
if u[7] and (ARGV[2] == "" or (ARGV[3] == "emailFold" and u[7] == ARGV[2] and u[9] == ARGV[4])) then
  if not late(u[10]) then
    return "FRESH"
  end
  give(u[8], u[7])
  redis.call("HDEL", KEYS[1], "newEmail", "newEmailFold", "newEmailNonce", "newEmailClaim", "newEmailSince")
end
return "STALE"
