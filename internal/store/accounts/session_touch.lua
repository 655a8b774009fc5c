-- Records that a session was used, which moves its end on.
-- KEYS sessions HASH    the user's sessions
-- KEYS user     HASH    the user, which has the time of the latest use
-- ARGV digest   string  digest of the token
-- ARGV now      time    now
-- ARGV life     millis  how long a session lasts after its last use
-- ARGV most     millis  how long it lasts after sign-in
-- ARGV grace    millis  how long the key outlives the last session
-- Returns  when the session ends; 0 if it has ended
local s = redis.call("HGET", sessions, digest)
if not s then
  return 0
end
local began, seen, ends, rest = string.match(s, "^(%d+) (%d+) (%d+)(.*)$")
if tonumber(seen) >= tonumber(now) then
  return tonumber(ends)
end
local moved = math.max(tonumber(ends), math.min(tonumber(now) + tonumber(life), tonumber(began) + tonumber(most)))
redis.call("HSET", internal(user), "seen", now)
redis.call("HSET", sessions, digest, began .. " " .. now .. " " .. string.format("%.0f", moved) .. rest)
local last = moved
for _, other in ipairs(redis.call("HVALS", sessions)) do
  last = math.max(last, tonumber(string.match(other, "^%d+ %d+ (%d+)")))
end
redis.call("EXPIREAT", sessions, string.format("%d", math.floor((last + tonumber(grace)) / 1000)))
return moved
