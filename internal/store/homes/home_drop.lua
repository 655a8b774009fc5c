-- Removes topics from a home that none of its sources holds, unless these have changed since they were
-- read, or a topic was offered again that the home already had.
-- INCLUDE event arm
-- KEYS owner     HASH    the owner
-- KEYS home      ZSET    the home
-- KEYS due       ZSET    due tasks of the partition
-- KEYS task      HASH    the task that refills the home
-- KEYS events    STREAM  events of the home; exists only while watched
-- ARGV epoch     string  epoch of the home before the sources were read, "" for none
-- ARGV now       time    now
-- ARGV task_name string  name of the task
-- ARGV low       int     a home with fewer topics is refilled
-- ARGV members[] string  the members to remove
-- Returns  1, or 0 if the epoch has changed
local now_epoch, watermark = unpack(redis.call("HMGET", internal(owner), "homeEpoch", "homeFloor"))
if redis.call("HGET", owner, "state") ~= "ACTIVE" or (now_epoch or "") ~= epoch then
  return 0
end
local went = 0
for i = 1, #members do
  local member = members[i]
  if redis.call("ZREM", home, member) == 1 then
    redis.call("HINCRBY", internal(owner), "homeEpoch", 1)
    went = went + 1
  end
end
if went > 0 then
  event(events, 1, "X", "") -- one event for all
end
if watermark and watermark ~= "g" and redis.call("ZCARD", home) < tonumber(low) then
  arm(owner, task, "", "0", due, now, task_name)
end
return 1
