-- Begins a change of e-mail: notes the new one, which is to be claimed next.
-- INCLUDE release email_change
-- KEYS user     HASH    the user
-- KEYS releases SET     claims that the user gives back
-- KEYS dirty    ZSET    dirty marks of the partition
-- ARGV id       user    the user
-- ARGV password string  password hash that the given password was checked against
-- ARGV now      time    now
-- ARGV limit    millis  how long a change may take
-- ARGV email    string  new e-mail
-- ARGV fold     string  the same as compared
-- ARGV nonce    string  nonce of the change
-- ARGV claim    string  name of the claim's key
-- Returns  1, or 0 when it is the same address, whose spelling is changed now
-- Errors   UNAUTHENTICATED when the account is not active, WRONG_CREDENTIALS
--          when the password was changed meanwhile, CONFLICT when another
--          change is under way
local state, now_password, old_fold, pending_nonce, pending_claim, pending_since = unpack(redis.call("HMGET", user,
  "state", "password", "emailFold", "newEmailNonce", "newEmailClaim", "newEmailSince"))
if state ~= "ACTIVE" then
  return redis.error_reply("UNAUTHENTICATED")
end
if now_password ~= password then
  return redis.error_reply("WRONG_CREDENTIALS password")
end
if pending_nonce and tonumber(pending_since) + tonumber(limit) > tonumber(now) then
  return redis.error_reply("CONFLICT email")
end

if pending_nonce then
  release(releases, pending_claim, id, pending_nonce)
  forget_email_change(user)
  redis.call("ZADD", dirty, "NX", now, "u:" .. id)
end
if old_fold == fold then
  redis.call("HSET", user, "email", email)
  return 0
end
redis.call("HSET", user, "newEmail", email, "newEmailFold", fold, "newEmailNonce", nonce,
  "newEmailClaim", claim, "newEmailSince", now)
redis.call("HINCRBY", user, "rev", 1)
redis.call("ZADD", dirty, "NX", now, "u:" .. id)
return 1
