-- Notes that a session was used.
-- KEYS[1]  HASH  the user's sessions
-- KEYS[2]  HASH  the user, who keeps the time of the latest use
-- ARGV[1]  digest of the token
-- ARGV[2]  now, Unix ms
-- Returns  1, or 0 when the session has ended or was seen later
local s = redis.call("HGET", KEYS[1], ARGV[1])
if not s then
  return 0
end
local began, seen, rest = string.match(s, "^(%d+) (%d+) (.*)$")
if tonumber(seen) >= tonumber(ARGV[2]) then
  return 0
end
redis.call("HSET", KEYS[2], "seen", ARGV[2])
redis.call("HSET", KEYS[1], ARGV[1], began .. " " .. ARGV[2] .. " " .. rest)
return 1
