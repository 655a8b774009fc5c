-- Deletes an account for good: names, e-mail, password and sessions go; what it
-- wrote stays, and its author is nobody from here on.
-- KEYS[1]  HASH  the user
-- KEYS[2]  SET   claims that the user gives back
-- KEYS[3]  ZSET  dirty marks of the partition
-- KEYS[4]  HASH  site counters of the partition
-- KEYS[5]  HASH  the user's sessions
-- KEYS[6]  ZSET  the user's votes on articles
-- KEYS[7]  ZSET  the user's home
-- KEYS[8]  ZSET  due tasks of the partition
-- KEYS[9]  HASH  the task that ends what the user has with others
-- KEYS[10] HASH  up to where the user has read
-- KEYS[11] ZSET  when that was marked
-- KEYS[12] ZSET  numbers of the user's notifications
-- KEYS[13] ZSET  those of them that are unread
-- KEYS[14] HASH  what they say
-- KEYS[15] ZSET  addresses from which the user signed in
-- ARGV[1]  user id
-- ARGV[2]  password hash that the given password was checked against
-- ARGV[3]  now, Unix ms
-- ARGV[4]  now, Unix µs
-- ARGV[5]  when the task is due, Unix ms
-- ARGV[6]  name of the task
-- Returns  1
-- Errors   UNAUTHENTICATED when the account is not active, WRONG_CREDENTIALS
--          when the password was changed meanwhile
local u = redis.call("HMGET", KEYS[1], "state", "password", "loginClaim", "nonce", "emailClaim", "emailNonce", "newEmailClaim", "newEmailNonce", "lookClaims", "role")
if u[1] ~= "ACTIVE" then
  return redis.error_reply("UNAUTHENTICATED")
end
if u[2] ~= ARGV[2] then
  return redis.error_reply("WRONG_CREDENTIALS password")
end

redis.call("HSET", KEYS[1], "state", "DELETED", "deleted", ARGV[3])
if u[10] and u[10] ~= "USER" then
  redis.call("HSET", KEYS[1], "staff", "1") -- nobody else gets the name
end
redis.call("HINCRBY", KEYS[1], "rev", 1)
redis.call("HDEL", KEYS[1], "role", "login", "fold", "name", "email", "emailFold", "password", "since",
  "nonce", "loginClaim", "lookClaims", "emailNonce", "emailClaim",
  "newEmail", "newEmailFold", "newEmailNonce", "newEmailClaim", "newEmailSince")
for i = 3, 7, 2 do
  if u[i] then
    redis.call("SADD", KEYS[2], u[i] .. " " .. ARGV[1] .. "/" .. u[i + 1])
  end
end
for claim in string.gmatch(u[9] or "", "%S+") do
  redis.call("SADD", KEYS[2], claim .. " " .. ARGV[1] .. "/" .. u[4])
end
redis.call("ZADD", KEYS[3], "NX", ARGV[3], "u:" .. ARGV[1])
redis.call("HINCRBY", KEYS[4], "users", -1)
redis.call("DEL", KEYS[5], KEYS[6], KEYS[7], KEYS[10], KEYS[11], KEYS[12], KEYS[13], KEYS[14], KEYS[15])
redis.call("PUBLISH", KEYS[5], "")

-- From here on the user has no edges, whatever the sets say: these are taken apart by the
-- task, whose writes are later than any of the user's.
for _, field in ipairs({"etime", "ltime"}) do
  local last = tonumber(redis.call("HGET", KEYS[1], field) or "0")
  redis.call("HSET", KEYS[1], field, string.format("%.0f", math.max(tonumber(ARGV[4]), last + 1)))
end
redis.call("HDEL", KEYS[1], "homeFloor", "homeEpoch", "seen", "following", "noteSeq", "noteFloor", "noteReads")
local n = string.format("%.0f", 1000 * redis.call("HINCRBY", KEYS[1], "armed", 1))
redis.call("HSET", KEYS[9], "n", n, "attempts", "0", "cursor", "")
redis.call("ZADD", KEYS[8], ARGV[5], ARGV[6])
return 1
