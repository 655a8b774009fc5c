-- Notes that a member has come for whom the account was prepared: from now on it is listed and counted.
-- INCLUDE changed
-- KEYS user   HASH  the user
-- KEYS stats  HASH  site counters of the partition
-- ARGV now    time  now
-- Returns  1, or 0 if the account is not active, or the member has come before
local account = internal(user)
if redis.call("HGET", user, "state") ~= "ACTIVE" or redis.call("HDEL", account, "prepared") == 0 then
  return 0
end
redis.call("HSET", account, "unlisted", "1")
redis.call("HINCRBY", account, "rev", 1)
redis.call("HINCRBY", stats, "users", 1)
changed(now, user, "ARRIVED")
return 1
