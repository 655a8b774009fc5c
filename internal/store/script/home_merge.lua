-- Merges topics into a home: of a source that is followed now, or all that it is filled
-- up with.
-- INCLUDE event trim_home
-- KEYS owner            HASH    the owner
-- KEYS home             ZSET    the home
-- KEYS followed         ZSET    what of the source's sort the owner follows
-- KEYS events           STREAM  what happened in the home; only while it is watched
-- ARGV member           string  the source's member there, "" when the home is filled up
-- ARGV epoch            string  epoch of the home before the topics were read, when it is filled up
-- ARGV new_watermark    string  its new watermark then, "" when nothing lies below
-- ARGV most             int     most topics of a home
-- ARGV topics[].created time    when a topic was posted
-- ARGV topics[].member  string  its member of homes
-- Returns  1, or 0 when the source is no longer followed or the home was changed since
local state, now_epoch, watermark = unpack(redis.call("HMGET", owner, "state", "homeEpoch", "homeFloor"))
if state ~= "ACTIVE" then
  return 0
end
if member ~= "" then
  if not redis.call("ZSCORE", followed, member) then
    return 0
  end
  -- Whoever is filling the home up has perhaps read the source when the owner was not yet
  -- known there, and would miss what it lost since, or what is refused here.
  redis.call("HINCRBY", owner, "homeEpoch", 1)
else
  if (now_epoch or "") ~= epoch then
    return 0
  end
  watermark = new_watermark ~= "" and new_watermark
  if watermark then
    redis.call("HSET", owner, "homeFloor", watermark)
  else
    redis.call("HDEL", owner, "homeFloor")
  end
end
local args, came = {}, 0
local function add()
  if #args > 0 then
    came = came + redis.call("ZADD", home, unpack(args))
  end
  args = {}
end
for i = 1, #topics do
  if not watermark or string.format("%011x", tonumber(topics[i].created)) .. topics[i].member > watermark then
    args[#args + 1] = topics[i].created
    args[#args + 1] = topics[i].member
    if #args >= 1000 then
      add()
    end
  end
end
add()
if came > 0 then
  event(events, 1, "X", "") -- too much at once to tell one by one
end
local highest = trim_home(home, most)
if highest then
  -- A home that is filled up may hold what lies below its new watermark, which stays.
  if not watermark or highest > watermark then
    redis.call("HSET", owner, "homeFloor", highest)
  end
  redis.call("HINCRBY", owner, "homeEpoch", 1)
end
return 1
