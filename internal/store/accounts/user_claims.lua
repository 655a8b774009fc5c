-- Applies what a token of an issuer says to the account that it is for: each value, unless this site owns it. A role is
-- recorded in the moderation log.
-- INCLUDE announce creation act
-- KEYS user      HASH    the user
-- KEYS externals HASH    the user's accounts at issuers
-- KEYS sessions  HASH    the user's sessions
-- ARGV user_id   user    the user
-- ARGV external  string  hash of the account at the issuer
-- ARGV issued    time    when the token was issued
-- ARGV now       time    now
-- ARGV wait      millis  how long after the last such change there may be another; 0 for what an administrator states
-- ARGV role      string  the role; "" if the token says nothing about it
-- ARGV fields[]  pair    other fields of the user
-- RETURN applied flag    whether the token is newer than the one before, and the wait is over
-- RETURN act     string  id of the act; "0" if the role did not change
-- RETURN before  string  the role before
-- Errors   EXHAUSTED
local state, before = unpack(redis.call("HMGET", user, "state", "role"))
local latest, applied, of = string.match(redis.call("HGET", externals, external) or "", "^(%d+) (%d+) (.*)$")
local unchanged = {applied = 0, act = "0", before = before or ""}
if state ~= "ACTIVE" or not of then
  return unchanged
end
local stated = tonumber(wait) == 0 -- by an administrator, whatever the clocks of servers say
if not stated and (tonumber(issued) <= tonumber(latest) or tonumber(now) - tonumber(applied) < tonumber(wait)) then
  return unchanged
end
local owned = " " .. (redis.call("HGET", internal(user), "owned") or "name avatar role") .. " "
local function open(field)
  return not string.find(owned, " " .. field .. " ", 1, true)
end
local number, act, key = 0, "0", nil
if role ~= "" and role ~= before and open("role") then
  number, act, key = new_entity()
  if not number then
    return redis.error_reply("EXHAUSTED")
  end
  redis.call("HSET", user, "role", role)
  record_act(act, key, "SET_ROLE", "u" .. user_id, user_id, before .. " " .. role)
  redis.call("PUBLISH", sessions, "")
end
for i = 1, #fields do
  if open(fields[i].name) then
    redis.call("HSET", user, fields[i].name, fields[i].value)
  end
end
redis.call("HSET", externals, external, string.format("%.0f", math.max(tonumber(issued), tonumber(latest))) .. " " .. now .. " " .. of)
announce(user)
return {applied = 1, act = act, before = before}
