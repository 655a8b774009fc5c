-- Gives up one's own change of e-mail.
-- KEYS[1]  HASH  the user
-- KEYS[2]  SET   claims that the user gives back
-- ARGV[1]  user id
-- ARGV[2]  nonce of the change
-- Returns  1, or 0 when it was ended before
local u = redis.call("HMGET", KEYS[1], "newEmailNonce", "newEmailClaim")
if u[1] ~= ARGV[2] then
  return 0
end
redis.call("SADD", KEYS[2], u[2] .. " " .. ARGV[1] .. "/" .. u[1])
redis.call("HDEL", KEYS[1], "newEmail", "newEmailFold", "newEmailNonce", "newEmailClaim", "newEmailSince")
return 1
