-- Adds a topic to those of some homes of one partition that have a source which holds it, and removes it
-- from the others.
-- INCLUDE fence event arm trim_home despite_full
-- KEYS fence_before      HASH    fence of the hour before
-- KEYS fence             HASH    fence of this hour
-- KEYS fence_next        HASH    fence of the next hour
-- KEYS due                ZSET    due tasks of the partition
-- KEYS homes[].owner      HASH    the owner of a home
-- KEYS homes[].home       ZSET    the home
-- KEYS homes[].following  ZSET    users that the owner follows
-- KEYS homes[].task       HASH    the task that refills it
-- KEYS homes[].events     STREAM  its events; exists only while watched
-- KEYS homes[].subjects?  ZSET    categories and tags that the owner follows; these last three
--                                 only if the topic has sources other than its author
-- KEYS homes[].blocked?   ZSET    users that the owner has blocked
-- KEYS homes[].blockers?  ZSET    users who have blocked the owner
-- ARGV topic              topic   the topic
-- ARGV created            time    when it was posted
-- ARGV member             string  its member in homes: the topic's id in hexadecimal
-- ARGV watermark_member   string  the same after its time of posting, as in watermarks
-- ARGV rev                int     revision of the topic
-- ARGV open               flag    whether it is open
-- ARGV author             user    its author
-- ARGV now                time    now
-- ARGV active_since       time    homes of owners who were inactive since then are not kept
-- ARGV most               int     maximum number of topics of a home
-- ARGV low                int     homes with fewer topics are refilled
-- ARGV kept               int     approximate number of events that a stream keeps
-- ARGV refuse             string  what homes of the partition refuse from now on: "d" for any state in
--                                 which the topic is open, a revision for states before it, "" for nothing
-- ARGV fence_expires      string  when the fence expires, Unix s
-- ARGV sources[]          string  sources of the topic other than its author, as members of the sets
--                                 that an owner follows
-- ARGV homes[].user       string  id of the owner, after a minus if the home only loses the topic
-- Returns  1, or 0 if this state of the topic is out of date
despite_full(due)
-- Usually there are no fences.
for _, key in ipairs(redis.call("EXISTS", fence_before, fence, fence_next) > 0 and {fence_before, fence, fence_next} or {}) do
  local least = redis.call("HGET", key, topic)
  if least and ((least == "d" and open) or (least ~= "d" and tonumber(rev) < tonumber(least))) then
    return 0
  end
end
if refuse ~= "" then
  -- Here, because an older state can only reach homes that had a source of it then, which this state visits
  -- too.
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

local function take(account, home, seen, watermark, events)
  if watermark and watermark_member <= watermark then
    -- A concurrent refill must not miss this topic.
    redis.call("HINCRBY", account, "homeEpoch", 1)
  elseif seen < tonumber(active_since) then
    redis.call("DEL", home)
    redis.call("HSET", account, "homeFloor", "g")
    redis.call("HINCRBY", account, "homeEpoch", 1)
  else
    redis.call("ZADD", home, created, member)
    event(events, kept, "A", watermark_member)
    local highest = trim_home(home, most)
    if highest then
      redis.call("HSET", account, "homeFloor", highest)
      redis.call("HINCRBY", account, "homeEpoch", 1)
    end
  end
end

local function drop(hash, home, task, owner, watermark, events)
  local account = internal(hash)
  redis.call("HINCRBY", account, "homeEpoch", 1)
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
  local state, since = unpack(redis.call("HMGET", hash, "state", "created"))
  local account = internal(hash)
  local seen, watermark = unpack(redis.call("HMGET", account, "seen", "homeFloor"))
  if state == "ACTIVE" then
    if not open or not follows(i, owner) then
      drop(hash, home, homes[i].task, owner, watermark, homes[i].events)
    elseif redis.call("ZSCORE", home, member) then
      -- A concurrent revalidation may have read that no source holds it.
      redis.call("HINCRBY", account, "homeEpoch", 1)
    elseif only == 0 then
      take(account, home, math.max(tonumber(seen or "0"), tonumber(since or "0")), watermark, homes[i].events)
    end
  end
end
return 1
