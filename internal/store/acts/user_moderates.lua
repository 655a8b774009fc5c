-- Makes a user a moderator of a category, or ends that, and records it.
-- INCLUDE changed creation act revert outdated_act staff
-- KEYS user      HASH     the user
-- ARGV user_id   user     the user
-- ARGV category  category the category
-- ARGV on        flag     whether the user moderates it from now on
-- ARGV most      int      maximum number of categories of a user
-- ARGV path      string   where the input names the user
-- RETURN act     string   id of the act; "0" if nothing changed
-- RETURN rev     string   how often what the user moderates has changed
-- Errors   NOT_FOUND if there is no such account, TOO_LONG_MODERATES, CHANGED, EXHAUSTED
local state, field = unpack(redis.call("HMGET", user, "state", "moderates"))
if state ~= "ACTIVE" then
  return redis.error_reply("NOT_FOUND " .. path)
end
local kept, n, had = "", 0, false
for id in string.gmatch(field or "", "%d+") do
  if id == category then
    had = true
  else
    kept, n = kept .. (n > 0 and " " or "") .. id, n + 1
  end
end
local outdated = outdated_act()
if outdated or had == on and reverted_act() then
  return outdated or redis.error_reply("CHANGED actId")
end
if had == on then
  return {act = "0", rev = "0"}
end
if on and n >= tonumber(most) then
  return redis.error_reply("TOO_LONG_MODERATES " .. path)
end
local _, act, key = new_entity()
if not act then
  return redis.error_reply("EXHAUSTED")
end
if on then
  kept = kept .. (n > 0 and " " or "") .. category
end
note_staff(user)
local rev = string.format("%d", redis.call("HINCRBY", internal(user), "moderatesRev", 1))
if kept == "" then
  redis.call("HDEL", user, "moderates")
else
  redis.call("HSET", user, "moderates", kept)
end
record_act(act, key, "SET_MODERATOR", "u" .. user_id, user_id, (on and "+" or "-") .. category .. " " .. rev,
  reverted_act())
changed(nil, user, "ROLE", user, "ACCESS")
return {act = act, rev = rev}
