-- Records that a session was used.
-- KEYS sessions HASH    the user's sessions
-- KEYS user     HASH    the user, which has the time of the latest use
-- ARGV digest   string  digest of the token
-- ARGV now      time    now
-- Returns  1, or 0 if the session has ended or was used later
local s = redis.call("HGET", sessions, digest)
if not s then
  return 0
end
local began, seen, rest = string.match(s, "^(%d+) (%d+) (.*)$")
if tonumber(seen) >= tonumber(now) then
  return 0
end
redis.call("HSET", internal(user), "seen", now)
redis.call("HSET", sessions, digest, began .. " " .. now .. " " .. rest)
return 1
