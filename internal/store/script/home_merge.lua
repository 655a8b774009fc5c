-- Merges topics into a home: of a source that is followed now, or all that it is filled
-- up with.
-- KEYS[1]  HASH  the owner
-- KEYS[2]  ZSET  the home
-- KEYS[3]  ZSET  what of the source's sort the owner follows
-- KEYS[4]  STREAM  what happened in the home; only while it is watched
-- ARGV[1]  the source's member there, "" when the home is filled up
-- ARGV[2]  epoch of the home before the topics were read, when it is filled up
-- ARGV[3]  its new floor then, "" when nothing lies below
-- ARGV[4]  most topics of a home
-- ARGV[5...] time of posting (Unix ms) and member of each topic
-- Returns  1, or 0 when the source is no longer followed or the home was changed since
local u = redis.call("HMGET", KEYS[1], "state", "homeEpoch", "homeFloor")
if u[1] ~= "ACTIVE" then
  return 0
end
local floor = u[3]
if ARGV[1] ~= "" then
  if not redis.call("ZSCORE", KEYS[3], ARGV[1]) then
    return 0
  end
  -- Whoever is filling the home up has perhaps read the source when the owner was not yet
  -- known there, and would miss what it lost since, or what is refused here.
  redis.call("HINCRBY", KEYS[1], "homeEpoch", 1)
else
  if (u[2] or "") ~= ARGV[2] then
    return 0
  end
  floor = ARGV[3] ~= "" and ARGV[3]
  if floor then
    redis.call("HSET", KEYS[1], "homeFloor", floor)
  else
    redis.call("HDEL", KEYS[1], "homeFloor")
  end
end
local args, came = {}, 0
local function add()
  if #args > 0 then
    came = came + redis.call("ZADD", KEYS[2], unpack(args))
  end
  args = {}
end
for i = 5, #ARGV, 2 do
  if not floor or string.format("%011x", tonumber(ARGV[i])) .. ARGV[i + 1] > floor then
    args[#args + 1] = ARGV[i]
    args[#args + 1] = ARGV[i + 1]
    if #args >= 1000 then
      add()
    end
  end
end
add()
if came > 0 and redis.call("EXISTS", KEYS[4]) == 1 then
  -- Too much at once to tell one by one.
  redis.call("XADD", KEYS[4], "MAXLEN", "~", 1, "*", "k", "X", "m", "", "o", "")
  redis.call("PUBLISH", KEYS[4], "")
end
local over = redis.call("ZCARD", KEYS[2]) - tonumber(ARGV[4])
if over > 0 then
  local last = redis.call("ZRANGE", KEYS[2], over - 1, over - 1, "WITHSCORES")
  local highest = string.format("%011x", tonumber(last[2])) .. last[1]
  redis.call("ZREMRANGEBYRANK", KEYS[2], 0, over - 1)
  -- A home that is filled up may hold what lies below its new floor, which stays.
  if not floor or highest > floor then
    redis.call("HSET", KEYS[1], "homeFloor", highest)
  end
  redis.call("HINCRBY", KEYS[1], "homeEpoch", 1)
end
return 1
