-- Records a warning of a user.
-- INCLUDE creation act role rank sanction text evidence
-- KEYS user    HASH   the user
-- ARGV user_id user   the user
-- RETURN act   string id of the act
-- Errors   NOT_FOUND if there is no such account, RANK if the user's role is not lower than the moderator's, EXHAUSTED
local refused = may_act_on(user, act_at)
if refused then
  return refused
end
local _, act, key = new_entity()
if not act then
  return redis.error_reply("EXHAUSTED")
end
keep_evidence(user, "u" .. user_id, "WARN", act_at)
record_act(act, key, "WARN", "u" .. user_id, user_id, "")
return {act = act}
