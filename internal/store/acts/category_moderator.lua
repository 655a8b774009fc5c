-- Notes at a category that a user moderates it, or no longer does. May come late and twice: a newer note is kept.
-- KEYS category   HASH the category
-- KEYS moderators ZSET users who moderate it, or did: score how often what they moderate had changed, negative if they
--                      no longer do; places that moderators_reserve has reserved
-- ARGV user       user the user
-- ARGV rev        int  how often what the user moderates had changed
-- ARGV on         flag whether the user moderates the category since then
-- Returns  1, or 0 if the category does not exist or a newer change is noted
if redis.call("EXISTS", category) == 0 then
  return 0
end
redis.call("ZREM", moderators, "s" .. user)
local known = redis.call("ZSCORE", moderators, user)
if known and math.abs(tonumber(known)) >= tonumber(rev) then
  return 0
end
redis.call("ZADD", moderators, (on and "" or "-") .. rev, user)
return 1
