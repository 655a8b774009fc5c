-- Takes topics out of a home that none of its sources holds, unless these changed since
-- they were read, or a topic was brought home that was there already.
-- INCLUDE event arm
-- KEYS owner     HASH    the owner
-- KEYS home      ZSET    the home
-- KEYS due       ZSET    due tasks of the partition
-- KEYS task      HASH    the task that fills the home up
-- KEYS events    STREAM  what happened in the home; only while it is watched
-- ARGV epoch     string  epoch of the home before the sources were read, "" for none
-- ARGV now       time    now
-- ARGV task_name string  name of the task
-- ARGV low       int     a home with fewer topics is filled up
-- ARGV members[] string  what to take out
-- Returns  1, or 0 when the epoch is another now
local state, now_epoch, watermark = unpack(redis.call("HMGET", owner, "state", "homeEpoch", "homeFloor"))
if state ~= "ACTIVE" or (now_epoch or "") ~= epoch then
  return 0
end
local went = 0
for i = 1, #members do
  local member = members[i]
  if redis.call("ZREM", home, member) == 1 then
    redis.call("HINCRBY", owner, "homeEpoch", 1)
    went = went + 1
  end
end
if went > 0 then
  event(events, 1, "X", "") -- too much at once to tell one by one
end
if watermark and watermark ~= "g" and redis.call("ZCARD", home) < tonumber(low) then
  arm(owner, task, "", "0", due, now, task_name)
end
return 1
