-- Sets a user's role, and records that in the moderation log.
-- INCLUDE changed creation act own staff
-- KEYS user     HASH    the user
-- ARGV user_id  user    the user
-- ARGV role     string  the role
-- RETURN act    string  id of the act; "0" if the user had the role before
-- RETURN before string  the role before
-- Errors   NOT_FOUND if there is no such account, EXHAUSTED
local state, before = unpack(redis.call("HMGET", user, "state", "role"))
if state ~= "ACTIVE" then
  return redis.error_reply("NOT_FOUND userId")
end
own(user, "role")
note_staff(user)
local until_then = redis.call("HDEL", user, "roleUntil") == 1 -- the role no longer depends on tokens
if before == role then
  if until_then then
    changed(nil, user, "ROLE")
  end
  return {act = "0", before = before}
end
local _, act, key = new_entity()
if not act then
  return redis.error_reply("EXHAUSTED")
end
redis.call("HSET", user, "role", role)
record_act(act, key, "SET_ROLE", "u" .. user_id, user_id, before .. " " .. role)
changed(nil, user, "ROLE", user, "ACCESS")
return {act = act, before = before}
