-- Ends a user's ban, and records that.
-- INCLUDE changed creation act role rank sanction
-- KEYS user      HASH    the user
-- ARGV user_id   user    the user
-- RETURN act     string  id of the act; "0" if there was no ban in force
-- Errors   NOT_FOUND if there is no such account, RANK if the user's role is not lower than the moderator's, EXHAUSTED
local refused, what, _, before = may_act_on(user, act_at)
if refused then
  return refused
end
if not what then
  return {act = "0"}
end
local _, act, key = new_entity()
if not act then
  return redis.error_reply("EXHAUSTED")
end
redis.call("HDEL", user, "ban", "banUntil", "banReason", "banAct")
record_act(act, key, "UNBAN", "u" .. user_id, user_id, "", before)
changed(nil, user, "BAN", user, "ACCESS")
return {act = act}
