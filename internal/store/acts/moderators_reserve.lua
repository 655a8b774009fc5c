-- Reserves places among the moderators of a category for users who are about to become its moderators, so that there
-- are never too many. A place is the member "s<user>" with the time as a fraction, which readers leave out.
-- KEYS category    HASH   the category
-- KEYS moderators  ZSET   users who moderate it, or did: see category_moderator
-- ARGV most        int:number maximum number of moderators
-- ARGV now         time   now
-- ARGV since       time   places that were reserved before are void
-- ARGV adding[]    user   who becomes a moderator
-- ARGV removing[]  user   who no longer is one after that
-- Returns  1
-- Errors   NOT_FOUND if the category does not exist, or is being deleted, TOO_LONG_MODERATORS if there would be too many,
--          unless there are no more than before
local function at(time)
  return string.format("%.17g", tonumber(time) / 1e13)
end
if redis.call("EXISTS", category) == 0 or redis.call("HEXISTS", internal(category), "deleting") == 1 then
  return redis.error_reply("NOT_FOUND category")
end
local present = redis.call("ZCOUNT", moderators, "1", "+inf")
local taken = present + redis.call("ZCOUNT", moderators, at(since), "(1")
local new = {}
for i = 1, #adding do
  if tonumber(redis.call("ZSCORE", moderators, adding[i]) or "0") < 1 then
    new[#new + 1] = "s" .. adding[i]
    if tonumber(redis.call("ZSCORE", moderators, new[#new]) or "0") < tonumber(at(since)) then
      taken = taken + 1
    end
  end
end
for i = 1, #removing do
  if tonumber(redis.call("ZSCORE", moderators, removing[i]) or "0") >= 1 then
    taken = taken - 1
  end
end
if #new > 0 and taken > math.max(most, present) then
  return redis.error_reply("TOO_LONG_MODERATORS add")
end
redis.call("ZREMRANGEBYSCORE", moderators, "(0", "(" .. at(since))
for i = 1, #new do
  redis.call("ZADD", moderators, at(now), new[i])
end
return 1
