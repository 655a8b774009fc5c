-- Records that a session was used, which moves its end on.
-- INCLUDE row session_ends
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
local session, ends = read_row(ROWS.session, s), session_ends(s)
if tonumber(session.seen) >= tonumber(now) then
  return ends
end
local moved = math.max(ends, math.min(tonumber(now) + tonumber(life), tonumber(session.began) + tonumber(most)))
redis.call("HSET", internal(user), "seen", now)
session.seen, session.ends = now, string.gsub(session.ends, "^%d+", string.format("%.0f", moved))
redis.call("HSET", sessions, digest, row_text(ROWS.session, session))
local last = moved
for _, other in ipairs(redis.call("HVALS", sessions)) do
  last = math.max(last, session_ends(other))
end
redis.call("EXPIREAT", sessions, string.format("%d", math.floor((last + tonumber(grace)) / 1000)))
return moved
