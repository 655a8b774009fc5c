-- Records that an API token was used.
-- KEYS tokens   HASH    the API tokens of the user
-- KEYS user     HASH    the user, which has the time of the latest use
-- ARGV digest   string  digest of the token
-- ARGV now      time    now
-- ARGV expire   string  when the key expires, Unix s
-- Returns  1, or 0 if it was revoked or was used later
local s = redis.call("HGET", tokens, digest)
if not s then
  return 0
end
local began, seen, rest = string.match(s, "^(%d+) (%d+) (.*)$")
if tonumber(seen) >= tonumber(now) then
  return 0
end
redis.call("HSET", internal(user), "seen", now)
redis.call("HSET", tokens, digest, began .. " " .. now .. " " .. rest)
redis.call("EXPIREAT", tokens, expire)
return 1
