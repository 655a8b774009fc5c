-- Merges topics into a home: those of a newly followed source, or all topics of a refill.
-- INCLUDE event trim_home
-- KEYS owner            HASH    the owner
-- KEYS home             ZSET    the home
-- KEYS followed         ZSET    the set of followed sources that contains this one
-- KEYS events           STREAM  events of the home; exists only while watched
-- ARGV member           string  the source's member there, "" for a refill
-- ARGV epoch            string  for a refill, the epoch of the home before the topics were read
-- ARGV rooms            int     for a refill, the changes of who sees a category that it follows
-- ARGV new_watermark    string  for a refill, the new watermark, "" if nothing is below
-- ARGV most             int     maximum number of topics of a home
-- ARGV topics[].created time    when a topic was posted
-- ARGV topics[].member  string  its member in homes
-- Returns  1, or 0 if the source is no longer followed or the home has changed since
local account = internal(owner)
local now_epoch, watermark, before = unpack(redis.call("HMGET", account, "homeEpoch", "homeFloor", "homeRooms"))
if redis.call("HGET", owner, "state") ~= "ACTIVE" then
  return 0
end
if member ~= "" then
  if not redis.call("ZSCORE", followed, member) then
    return 0
  end
  -- A concurrent refill may have read the source before the owner followed it, and would miss what was
  -- removed since, or what is refused here.
  redis.call("HINCRBY", account, "homeEpoch", 1)
else
  before = tonumber(before or "0")
  if (now_epoch or "") ~= epoch or tonumber(rooms) < before then
    return 0
  end
  if tonumber(rooms) > before then
    redis.call("DEL", home)
    redis.call("HSET", account, "homeRooms", rooms)
  end
  watermark = new_watermark ~= "" and new_watermark
  if watermark then
    redis.call("HSET", account, "homeFloor", watermark)
  else
    redis.call("HDEL", account, "homeFloor")
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
  event(events, 1, "X", "") -- one event for all
end
local highest = trim_home(home, most)
if highest then
  -- After a refill the home may hold topics below the new watermark, which stays.
  if not watermark or highest > watermark then
    redis.call("HSET", account, "homeFloor", highest)
  end
  redis.call("HINCRBY", account, "homeEpoch", 1)
end
return 1
