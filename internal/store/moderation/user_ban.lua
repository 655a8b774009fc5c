-- Bans a user, in place of an earlier ban, and records that. A ban from signing in ends all sessions.
-- INCLUDE changed creation act role rank sanction
-- KEYS user      HASH    the user
-- KEYS sessions  HASH    the user's sessions
-- KEYS takeout   STRING  the take-out of the user, which ends with the sessions
-- ARGV user_id   user    the user
-- ARGV scope     string  POST or SIGN_IN
-- ARGV ends      time    when it ends by itself; 0 for never
-- RETURN changed flag    whether anything changed; not if such a ban is in force
-- RETURN act     string  id of the act that imposed the ban in force
-- Errors   NOT_FOUND if there is no such account, RANK if the user's role is not lower than the moderator's, EXHAUSTED
local refused, what, till, before = may_act_on(user, act_at)
if refused then
  return refused
end
if what == scope and till == ends then
  return {changed = 0, act = before}
end
local _, act, key = new_entity()
if not act then
  return redis.error_reply("EXHAUSTED")
end
redis.call("HSET", user, "ban", scope, "banUntil", ends, "banReason", act_reason, "banAct", act)
if scope == "SIGN_IN" then
  redis.call("DEL", sessions, takeout)
end
record_act(act, key, "BAN", "u" .. user_id, user_id, scope .. " " .. ends, before)
changed(nil, user, "BAN", user, "ACCESS")
return {changed = 1, act = act}
