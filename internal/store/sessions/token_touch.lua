-- Records that an API token was used.
-- INCLUDE row
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
local token = read_row(ROWS.token, s)
if tonumber(token.seen) >= tonumber(now) then
  return 0
end
redis.call("HSET", internal(user), "seen", now)
token.seen = now
redis.call("HSET", tokens, digest, row_text(ROWS.token, token))
redis.call("EXPIREAT", tokens, expire)
return 1
