-- Begins a session; the oldest ends when there would be too many.
-- KEYS[1]  HASH  the user
-- KEYS[2]  HASH  the user's sessions
-- KEYS[3]  ZSET  addresses from which the user signed in
-- ARGV[1]  digest of the token
-- ARGV[2]  when it ends, Unix ms
-- ARGV[3]  now, Unix ms
-- ARGV[4]  most sessions
-- ARGV[5]  how long the key outlives the last session, ms
-- ARGV[6]  user agent
-- ARGV[7]  password hash that the password was checked against, or ""
-- ARGV[8]  pseudonym of the address, or ""
-- ARGV[9]  before when an address was used last that is forgotten, Unix ms
-- ARGV[10] most addresses
-- ARGV[11] when they expire, Unix s
-- Returns  1, or 0 when there is no such account, or its password was changed
--          meanwhile
local u = redis.call("HMGET", KEYS[1], "state", "password")
if u[1] ~= "ACTIVE" or (ARGV[7] ~= "" and ARGV[7] ~= u[2]) then
  return 0
end
local all, open, last = redis.call("HGETALL", KEYS[2]), {}, tonumber(ARGV[2])
for i = 1, #all, 2 do
  local began, ends = string.match(all[i + 1], "^(%d+) %d+ (%d+)")
  if tonumber(ends) <= tonumber(ARGV[3]) then
    redis.call("HDEL", KEYS[2], all[i])
  else
    open[#open + 1] = {tonumber(began), all[i]}
    last = math.max(last, tonumber(ends))
  end
end
table.sort(open, function(a, b)
  return a[1] < b[1] or (a[1] == b[1] and a[2] < b[2])
end)
for i = 1, #open - tonumber(ARGV[4]) + 1 do
  redis.call("HDEL", KEYS[2], open[i][2])
  redis.call("PUBLISH", KEYS[2], "")
end
redis.call("HSET", KEYS[1], "seen", ARGV[3])
redis.call("HSET", KEYS[2], ARGV[1], ARGV[3] .. " " .. ARGV[3] .. " " .. ARGV[2] .. " " .. ARGV[6])
redis.call("EXPIREAT", KEYS[2], string.format("%d", math.floor((last + tonumber(ARGV[5])) / 1000)))
if ARGV[8] ~= "" then
  redis.call("ZADD", KEYS[3], ARGV[3], ARGV[8])
  redis.call("ZREMRANGEBYSCORE", KEYS[3], "-inf", ARGV[9])
  redis.call("ZREMRANGEBYRANK", KEYS[3], 0, -tonumber(ARGV[10]) - 1)
  redis.call("EXPIREAT", KEYS[3], ARGV[11])
end
return 1
