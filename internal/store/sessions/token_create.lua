-- Creates an API token of a user, and removes those that are dead.
-- INCLUDE signs_in row
-- KEYS user     HASH    the user
-- KEYS sessions HASH    the user's sessions
-- KEYS tokens   HASH    the user's API tokens
-- ARGV session  string  digest of the session that creates it, or ""
-- ARGV digest   string  digest of the token
-- ARGV now      time    now
-- ARGV ends     time    when it expires even if it is used; 0 for never
-- ARGV scopes   string  its scopes, and where it comes from
-- ARGV name     string  its name
-- ARGV most     int     maximum number of tokens
-- ARGV idle     millis  how long a token lives after its last use
-- ARGV expire   string  when the key expires, Unix s
-- Returns  1
-- Errors   UNAUTHENTICATED if the account is not active, the session has ended or the token of an issuer was refused, TOO_LONG_TOKENS
if redis.call("HGET", user, "state") ~= "ACTIVE"
  or (session ~= "" and redis.call("HEXISTS", sessions, session) == 0) or not signs_in(user) then
  return redis.error_reply("UNAUTHENTICATED")
end
local all, dead, alive = redis.call("HGETALL", tokens), {}, 0
for i = 1, #all, 2 do
  local token = read_row(ROWS.token, all[i + 1])
  local used = math.max(tonumber(token.created), tonumber(token.seen))
  if used + tonumber(idle) <= tonumber(now) or (token.ends ~= "0" and tonumber(token.ends) <= tonumber(now)) then
    dead[#dead + 1] = all[i]
  else
    alive = alive + 1
  end
end
if alive >= tonumber(most) then
  return redis.error_reply("TOO_LONG_TOKENS name")
end
if #dead > 0 then
  redis.call("HDEL", tokens, unpack(dead))
end
redis.call("HSET", tokens, digest,
  row_text(ROWS.token, {created = now, seen = "0", ends = ends, scopes = scopes, name = name}))
redis.call("EXPIREAT", tokens, expire)
return 1
