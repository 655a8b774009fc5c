-- Begins a change of e-mail: notes the new one, which is to be claimed next.
-- KEYS[1]  HASH  the user
-- KEYS[2]  SET   claims that the user gives back
-- KEYS[3]  ZSET  dirty marks of the partition
-- ARGV[1]  user id
-- ARGV[2]  password hash that the given password was checked against
-- ARGV[3]  now, Unix ms
-- ARGV[4]  how long a change may take, ms
-- ARGV[5]  new e-mail
-- ARGV[6]  the same as compared
-- ARGV[7]  nonce of the change
-- ARGV[8]  name of the claim's key
-- Returns  1, or 0 when it is the same address, whose spelling is changed now
-- Errors   UNAUTHENTICATED when the account is not active, WRONG_CREDENTIALS
--          when the password was changed meanwhile, CONFLICT when another
--          change is under way
local u = redis.call("HMGET", KEYS[1], "state", "password", "emailFold", "newEmailNonce", "newEmailClaim", "newEmailSince")
if u[1] ~= "ACTIVE" then
  return redis.error_reply("UNAUTHENTICATED")
end
if u[2] ~= ARGV[2] then
  return redis.error_reply("WRONG_CREDENTIALS password")
end
if u[4] and tonumber(u[6]) + tonumber(ARGV[4]) > tonumber(ARGV[3]) then
  return redis.error_reply("CONFLICT email")
end

if u[4] then
  redis.call("SADD", KEYS[2], u[5] .. " " .. ARGV[1] .. "/" .. u[4])
  redis.call("HDEL", KEYS[1], "newEmail", "newEmailFold", "newEmailNonce", "newEmailClaim", "newEmailSince")
  redis.call("ZADD", KEYS[3], "NX", ARGV[3], "u:" .. ARGV[1])
end
if u[3] == ARGV[6] then
  redis.call("HSET", KEYS[1], "email", ARGV[5])
  return 0
end
redis.call("HSET", KEYS[1], "newEmail", ARGV[5], "newEmailFold", ARGV[6], "newEmailNonce", ARGV[7],
  "newEmailClaim", ARGV[8], "newEmailSince", ARGV[3])
redis.call("HINCRBY", KEYS[1], "rev", 1)
redis.call("ZADD", KEYS[3], "NX", ARGV[3], "u:" .. ARGV[1])
return 1
