-- Approves an account, or rejects it, and records that in the moderation log.
-- INCLUDE changed creation act
-- KEYS user     HASH   the user
-- KEYS stats    HASH   site counters of the partition
-- ARGV user_id  user   the user
-- ARGV approve  flag   whether it is approved
-- RETURN act     string id of the act; of that which rejected it before if nothing changed
-- RETURN changed flag   whether anything changed
-- Errors   NOT_FOUND if there is no such account, or it was approved, EXHAUSTED
local account = internal(user)
if redis.call("HGET", user, "state") ~= "APPLIED" then
  return redis.error_reply("NOT_FOUND userId")
end
local before = redis.call("HGET", account, "rejection")
if before and not approve then
  return {act = before, changed = 0}
end
local _, act, key = new_entity()
if not act then
  return redis.error_reply("EXHAUSTED")
end
if approve then
  redis.call("HSET", user, "state", "ACTIVE", "created", act_at)
  redis.call("HDEL", account, "rejection", "applicationText") -- which nobody can read from now on
  redis.call("HINCRBY", stats, "users", 1)
else
  redis.call("HSET", account, "rejection", act)
end
redis.call("HSET", account, "unlisted", "1")
redis.call("HINCRBY", account, "rev", 1)
record_act(act, key, approve and "APPROVE_ACCOUNT" or "REJECT_ACCOUNT", "u" .. user_id, user_id, "")
changed(act_at, user, approve and "CREATED" or "CLAIMS")
return {act = act, changed = 1}
