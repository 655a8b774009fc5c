-- Begins a session. The oldest session ends if there would be too many.
-- INCLUDE changed banned signs_in row session_ends
-- KEYS user           HASH    the user
-- KEYS sessions       HASH    the user's sessions
-- KEYS devices        ZSET    addresses from which the user signed in
-- ARGV digest         string  digest of the token
-- ARGV ends           time    when it ends
-- ARGV provenance     string  where it comes from, as it is stored
-- ARGV now            time    now
-- ARGV most           int     maximum number of sessions
-- ARGV grace          millis  how long the key outlives the last session
-- ARGV agent          string  user agent
-- ARGV password       string  password hash that the password was checked against, or ""
-- ARGV device         string  pseudonym of the address, or ""
-- ARGV forget_before  int     addresses last used before this time are forgotten, Unix ms
-- ARGV most_devices   int     maximum number of addresses
-- ARGV devices_expire int     when they expire, Unix s
-- Returns  1, 2 if the account was prepared and its member has not come before, or 0 if there is no such account, its password was changed concurrently, or the token of an issuer was
--          refused meanwhile
-- Errors   DEACTIVATED, BANNED if the user is banned from signing in, AWAITING_APPROVAL, "REJECTED act"
if redis.call("HEXISTS", internal(user), "deactivated") == 1 then
  return redis.error_reply("DEACTIVATED")
end
local state = redis.call("HGET", user, "state")
if state == "APPLIED" then
  local rejection = redis.call("HGET", internal(user), "rejection")
  return redis.error_reply(rejection and "REJECTED " .. rejection or "AWAITING_APPROVAL")
end
if state ~= "ACTIVE"
  or (password ~= "" and password ~= redis.call("HGET", internal(user), "password")) or not signs_in(user) then
  return 0
end
local refused = banned(user, now, "SIGN_IN")
if refused then
  return refused
end
local all, open, last = redis.call("HGETALL", sessions), {}, tonumber(ends)
for i = 1, #all, 2 do
  local session, over = read_row(ROWS.session, all[i + 1]), session_ends(all[i + 1])
  if over <= tonumber(now) then
    redis.call("HDEL", sessions, all[i])
  else
    open[#open + 1] = {began = tonumber(session.began), digest = all[i]}
    last = math.max(last, over)
  end
end
table.sort(open, function(a, b)
  return a.began < b.began or (a.began == b.began and a.digest < b.digest)
end)
for i = 1, #open - tonumber(most) + 1 do
  redis.call("HDEL", sessions, open[i].digest)
  changed(nil, user, "ACCESS")
end
redis.call("HSET", internal(user), "seen", now)
redis.call("HSET", sessions, digest,
  row_text(ROWS.session, {began = now, seen = now, ends = ends .. provenance, userAgent = agent}))
redis.call("EXPIREAT", sessions, string.format("%d", math.floor((last + tonumber(grace)) / 1000)))
if device ~= "" then
  redis.call("ZADD", devices, now, device)
  redis.call("ZREMRANGEBYSCORE", devices, "-inf", forget_before)
  redis.call("ZREMRANGEBYRANK", devices, 0, -tonumber(most_devices) - 1)
  redis.call("EXPIREAT", devices, devices_expire)
end
return redis.call("HEXISTS", internal(user), "prepared") + 1
