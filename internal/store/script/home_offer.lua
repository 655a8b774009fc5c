-- Brings a topic into those of some homes of one partition that have a source which holds
-- it, and takes it out of the others.
-- INCLUDE fence event arm trim_home
-- KEYS fence_before      HASH    what homes must not take, of the hour before
-- KEYS fence             HASH    the same of this hour
-- KEYS fence_next        HASH    the same of the next hour
-- KEYS due                ZSET    due tasks of the partition
-- KEYS homes[].owner      HASH    the owner of a home
-- KEYS homes[].home       ZSET    the home
-- KEYS homes[].following  ZSET    users whom the owner follows
-- KEYS homes[].task       HASH    the task that fills it up
-- KEYS homes[].events     STREAM  what happened in it; only while it is watched
-- KEYS homes[].subjects?  ZSET    categories and tags that the owner follows; these last three
--                                 only when the topic has sources besides its author
-- KEYS homes[].blocked?   ZSET    users whom the owner has blocked
-- KEYS homes[].blockers?  ZSET    users who have blocked the owner
-- ARGV topic              topic   the topic
-- ARGV created            time    when it was posted
-- ARGV member             string  member of homes: the topic's id in hexadecimal
-- ARGV watermark_member   string  the same with the time of posting before it, as watermarks are
-- ARGV rev                int     revision of the topic
-- ARGV open               flag    whether it is open
-- ARGV author             user    its author
-- ARGV now                time    now
-- ARGV active_since       time    homes of owners who were not here since then are not kept
-- ARGV most               int     most topics of a home
-- ARGV low                int     homes with fewer topics are filled up
-- ARGV kept               int     about how many events a stream keeps
-- ARGV refuse         string  what homes of the partition refuse from now on: "d" for any state in
--                                 which the topic is open, a revision for states before it, "" for nothing
-- ARGV fence_expires      string  when that is forgotten, Unix s
-- ARGV sources[]          string  what the topic comes from besides its author, as members of what an
--                                 owner follows
-- ARGV homes[].user       string  id of the owner; a minus before it when the home only loses the topic
-- Returns  1, or 0 when this state of the topic is out of date
for _, key in ipairs({fence_before, fence, fence_next}) do
  local least = redis.call("HGET", key, topic)
  if least and ((least == "d" and open) or (least ~= "d" and tonumber(rev) < tonumber(least))) then
    return 0
  end
end
if refuse ~= "" then
  -- Here, because an older state can only reach homes that had a source of it then: those
  -- that this state visits too.
  set_fence(fence, topic, refuse, fence_expires)
end

local function follows(i, owner)
  if owner == author or redis.call("ZSCORE", homes[i].following, author) then
    return true
  end
  for s = 1, #sources do
    if redis.call("ZSCORE", homes[i].subjects, sources[s]) then
      return not redis.call("ZSCORE", homes[i].blocked, author) and not redis.call("ZSCORE", homes[i].blockers, author)
    end
  end
  return false
end

local function take(hash, home, seen, watermark, events)
  if watermark and watermark_member <= watermark then
    -- Whoever is filling the home up must see this topic.
    redis.call("HINCRBY", hash, "homeEpoch", 1)
  elseif seen < tonumber(active_since) then
    redis.call("DEL", home)
    redis.call("HSET", hash, "homeFloor", "g")
    redis.call("HINCRBY", hash, "homeEpoch", 1)
  else
    redis.call("ZADD", home, created, member)
    event(events, kept, "A", watermark_member)
    local highest = trim_home(home, most)
    if highest then
      redis.call("HSET", hash, "homeFloor", highest)
      redis.call("HINCRBY", hash, "homeEpoch", 1)
    end
  end
end

local function drop(hash, home, task, owner, watermark, events)
  redis.call("HINCRBY", hash, "homeEpoch", 1)
  if redis.call("ZREM", home, member) == 0 then
    return
  end
  event(events, kept, "R", watermark_member)
  if watermark and watermark ~= "g" and redis.call("ZCARD", home) < tonumber(low) then
    arm(hash, task, "", "0", due, now, "h:" .. owner)
  end
end

for i = 1, #homes do
  local owner, only = string.gsub(homes[i].user, "^-", "")
  local hash, home = homes[i].owner, homes[i].home
  local state, seen, since, watermark = unpack(redis.call("HMGET", hash, "state", "seen", "created", "homeFloor"))
  if state == "ACTIVE" then
    if not open or not follows(i, owner) then
      drop(hash, home, homes[i].task, owner, watermark, homes[i].events)
    elseif redis.call("ZSCORE", home, member) then
      -- Whoever looks after the home has perhaps read that no source holds it.
      redis.call("HINCRBY", hash, "homeEpoch", 1)
    elseif only == 0 then
      take(hash, home, math.max(tonumber(seen or "0"), tonumber(since or "0")), watermark, homes[i].events)
    end
  end
end
return 1
