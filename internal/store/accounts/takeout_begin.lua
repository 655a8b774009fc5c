-- Lets the holder of a secret download what is kept about a user, once. An address that was not used is replaced.
-- INCLUDE row
-- KEYS user     HASH    the user
-- KEYS takeout  STRING  the take-out of the user
-- ARGV digest   string  digest of the secret
-- ARGV ends     time    until when it may be used
-- ARGV now      time    now
-- ARGV expires  int     when the key expires, Unix s
-- Returns  0, or until when another take-out of the user is under way, Unix ms
-- Errors   NOT_FOUND if there is no such account
if redis.call("HGET", user, "state") ~= "ACTIVE" then
  return redis.error_reply("NOT_FOUND userId")
end
local present = redis.call("GET", takeout)
if present then
  local is = read_row(ROWS.takeout, present)
  if is.state == "RUNS" and tonumber(is.ends) > tonumber(now) then
    return tonumber(is.ends)
  end
end
redis.call("SET", takeout, row_text(ROWS.takeout, {state = "WAITS", ends = ends, digest = digest}))
redis.call("EXPIREAT", takeout, expires)
return 0
