-- Ends a change of e-mail: from here on the new one is the account's.
-- KEYS[1]  HASH  the user
-- KEYS[2]  SET   claims that the user gives back
-- ARGV[1]  user id
-- ARGV[2]  nonce of the change
-- Returns  1, or 0 when the change was given up meanwhile
local u = redis.call("HMGET", KEYS[1], "state", "newEmailNonce", "emailClaim", "emailNonce", "newEmail", "newEmailFold", "newEmailClaim")
if u[1] ~= "ACTIVE" then
  return 0
end
if u[4] == ARGV[2] then -- done before: the answer was lost
  return 1
end
if u[2] ~= ARGV[2] then
  return 0
end
if u[3] then
  redis.call("SADD", KEYS[2], u[3] .. " " .. ARGV[1] .. "/" .. u[4])
end
redis.call("HSET", KEYS[1], "email", u[5], "emailFold", u[6], "emailNonce", ARGV[2], "emailClaim", u[7])
redis.call("HDEL", KEYS[1], "newEmail", "newEmailFold", "newEmailNonce", "newEmailClaim", "newEmailSince")
return 1
