-- Brings a topic into those of some homes of one partition that have a source which holds
-- it, and takes it out of the others.
-- KEYS[1], KEYS[2], KEYS[3]  HASHes of what homes must not take, of the hour before, this
--          one and the next
-- KEYS[4]  ZSET  due tasks of the partition
-- KEYS[5...] for each home: HASH its owner, ZSET the home, ZSET users whom the owner
--          follows, HASH the task that fills it up, STREAM what happened in it (only while
--          it is watched) and, when the topic has sources besides
--          its author, ZSETs: the categories and tags that the owner follows, users whom
--          the owner has blocked, users who have blocked the owner
-- ARGV[1]  topic id
-- ARGV[2]  time of posting, Unix ms
-- ARGV[3]  member of homes: the topic's id in hexadecimal
-- ARGV[4]  the same with the time of posting before it, as floors are
-- ARGV[5]  revision of the topic
-- ARGV[6]  "1" when it is open
-- ARGV[7]  the author's id
-- ARGV[8]  now, Unix ms
-- ARGV[9]  homes of owners who were not here since then (Unix ms) are not kept
-- ARGV[10] most topics of a home
-- ARGV[11] homes with fewer topics are filled up
-- ARGV[12] about how many events a stream keeps
-- ARGV[13] what homes of the partition refuse from now on: "d" for any state in which the
--          topic is open, a revision for states before it, "" for nothing
-- ARGV[14] when that is forgotten, Unix s
-- ARGV[15] how many sources the topic has besides its author
-- ARGV[16...] these sources as members of what an owner follows, then the owners' ids; a
--          minus stands before the id of an owner whose home only loses the topic
-- Returns  1, or 0 when this state of the topic is out of date
for _, key in ipairs({KEYS[1], KEYS[2], KEYS[3]}) do
  local least = redis.call("HGET", key, ARGV[1])
  if least and ((least == "d" and ARGV[6] == "1") or (least ~= "d" and tonumber(ARGV[5]) < tonumber(least))) then
    return 0
  end
end
if ARGV[13] ~= "" then
  -- Here, because an older state can only reach homes that had a source of it then: those
  -- that this state visits too.
  local least = redis.call("HGET", KEYS[2], ARGV[1])
  if not least or (least ~= "d" and (ARGV[13] == "d" or tonumber(least) < tonumber(ARGV[13]))) then
    redis.call("HSET", KEYS[2], ARGV[1], ARGV[13])
    redis.call("EXPIREAT", KEYS[2], ARGV[14])
  end
end
local sources = tonumber(ARGV[15])
local width = sources > 0 and 8 or 5

local function tell(stream, kind)
  if redis.call("EXISTS", stream) == 1 then
    redis.call("XADD", stream, "MAXLEN", "~", ARGV[12], "*", "k", kind, "m", ARGV[4], "o", "")
    redis.call("PUBLISH", stream, "")
  end
end

local function follows(at, owner)
  if owner == ARGV[7] or redis.call("ZSCORE", KEYS[at + 2], ARGV[7]) then
    return true
  end
  for i = 16, 15 + sources do
    if redis.call("ZSCORE", KEYS[at + 5], ARGV[i]) then
      return not redis.call("ZSCORE", KEYS[at + 6], ARGV[7]) and not redis.call("ZSCORE", KEYS[at + 7], ARGV[7])
    end
  end
  return false
end

local function take(hash, home, seen, floor, stream)
  if floor and ARGV[4] <= floor then
    -- Whoever is filling the home up must see this topic.
    redis.call("HINCRBY", hash, "homeEpoch", 1)
  elseif seen < tonumber(ARGV[9]) then
    redis.call("DEL", home)
    redis.call("HSET", hash, "homeFloor", "g")
    redis.call("HINCRBY", hash, "homeEpoch", 1)
  else
    redis.call("ZADD", home, ARGV[2], ARGV[3])
    tell(stream, "A")
    local over = redis.call("ZCARD", home) - tonumber(ARGV[10])
    if over > 0 then
      local last = redis.call("ZRANGE", home, over - 1, over - 1, "WITHSCORES")
      redis.call("ZREMRANGEBYRANK", home, 0, over - 1)
      redis.call("HSET", hash, "homeFloor", string.format("%011x", tonumber(last[2])) .. last[1])
      redis.call("HINCRBY", hash, "homeEpoch", 1)
    end
  end
end

local function drop(hash, home, task, owner, floor, stream)
  redis.call("HINCRBY", hash, "homeEpoch", 1)
  if redis.call("ZREM", home, ARGV[3]) == 0 then
    return
  end
  tell(stream, "R")
  if floor and floor ~= "g" and redis.call("ZCARD", home) < tonumber(ARGV[11]) then
    local n = math.max(1000 * redis.call("HINCRBY", hash, "armed", 1), tonumber(redis.call("HGET", task, "n") or "0") + 1)
    redis.call("HSET", task, "n", string.format("%.0f", n), "attempts", "0", "cursor", "")
    redis.call("ZADD", KEYS[4], ARGV[8], "h:" .. owner)
  end
end

for at = 5, #KEYS, width do
  local owner, only = string.gsub(ARGV[16 + sources + (at - 5) / width], "^-", "")
  local u = redis.call("HMGET", KEYS[at], "state", "seen", "created", "homeFloor")
  if u[1] == "ACTIVE" then
    if ARGV[6] ~= "1" or not follows(at, owner) then
      drop(KEYS[at], KEYS[at + 1], KEYS[at + 3], owner, u[4], KEYS[at + 4])
    elseif redis.call("ZSCORE", KEYS[at + 1], ARGV[3]) then
      -- Whoever looks after the home has perhaps read that no source holds it.
      redis.call("HINCRBY", KEYS[at], "homeEpoch", 1)
    elseif only == 0 then
      take(KEYS[at], KEYS[at + 1], math.max(tonumber(u[2] or "0"), tonumber(u[3] or "0")), u[4], KEYS[at + 4])
    end
  end
end
return 1
