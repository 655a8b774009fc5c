-- Applies what a token of an issuer says to the account that it is for: each value, unless this site owns it. A role is
-- recorded in the moderation log.
-- INCLUDE changed creation act own staff row
-- KEYS user      HASH    the user
-- KEYS externals HASH    the user's accounts at issuers
-- ARGV user_id   user    the user
-- ARGV external  string  hash of the account at the issuer
-- ARGV issued    time    when the token was issued
-- ARGV now       time    now
-- ARGV wait      millis  how long after the last such change there may be another; 0 for what an administrator states
-- ARGV login     string  hash of what the token says of the login; "" if nothing
-- ARGV role      string  the role; "" if the token says nothing about it
-- ARGV life      millis  how long a role that a token says lasts
-- ARGV fields[]  pair    other fields of the user
-- RETURN applied flag    whether anything was applied: the token is newer than the one before, and the wait is over or
--                        the role lower; or it is that one, and the role lower or lasts longer
-- RETURN login   flag    whether the login is to be changed, because the token before said another
-- RETURN act     string  id of the act; "0" if the role did not change
-- RETURN before  string  the role before
-- Errors   EXHAUSTED
local state, before, till = unpack(redis.call("HMGET", user, "state", "role", "roleUntil"))
local entry = read_row(ROWS.external, redis.call("HGET", externals, external))
local unchanged = {applied = 0, login = 0, act = "0", before = before or ""}
if state ~= "ACTIVE" or not entry then
  return unchanged
end
local latest, out = string.match(entry.issued, "^(%d+)(.*)$")
local applied, said = string.match(entry.applied, "^(%d+):?(.*)$")
local stated = tonumber(wait) == 0 -- by an administrator, whatever the clocks of servers say
local rank, follows = {USER = 1, MODERATOR = 2, ADMIN = 3}, role ~= "" and not owns(user, "role")
local lower = follows and rank[role] < rank[before]
local ends = string.format("%.0f", tonumber(now) + tonumber(life))
local newer = stated or tonumber(issued) > tonumber(latest)
if not stated and newer and not lower and tonumber(now) - tonumber(applied) < tonumber(wait) then
  return unchanged
end
if not newer and not (follows and till and tonumber(issued) == tonumber(latest)
  and (lower or role == before and math.abs(ends - till) >= tonumber(wait))) then
  return unchanged
end
local number, act, key, words = 0, "0", nil, {}
local function say(word)
  if not words[word] then
    words[word], words[#words + 1], words[#words + 2] = true, user, word
  end
end
local function set(field, value, word)
  if (redis.call("HGET", user, field) or "") == value then
    return
  end
  if value == "" then
    redis.call("HDEL", user, field)
  else
    redis.call("HSET", user, field, value)
  end
  say(word)
end
if follows and role ~= before then
  number, act, key = new_entity()
  if not number then
    return redis.error_reply("EXHAUSTED")
  end
  note_staff(user)
  set("role", role, "ROLE")
  record_act(act, key, "SET_ROLE", "u" .. user_id, user_id, before .. " " .. role)
  say("ACCESS")
end
if follows then
  set("roleUntil", (stated or role == "USER") and "" or ends, "ROLE")
end
for i = 1, newer and #fields or 0 do
  if not owns(user, fields[i].name) then
    set(fields[i].name, fields[i].value, "PROFILE")
  end
end
if #words > 0 then
  changed(nil, unpack(words))
end
if not newer then
  return {applied = 1, login = 0, act = act, before = before}
end
if said == "" and not redis.call("HGET", internal(user), "external") then
  own(user, "login") -- of a user who was linked before tokens changed logins
end
local renamed = login ~= "" and login ~= said and not owns(user, "login")
if said == "" or said == "-" then
  renamed, said = false, login ~= "" and login or "-"
elseif login ~= "" and not renamed then
  said = login -- otherwise once the login is changed
end
latest = string.format("%.0f", math.max(tonumber(issued), tonumber(latest)))
entry.issued, entry.applied = latest .. out, now .. ":" .. said
redis.call("HSET", externals, external, row_text(ROWS.external, entry))
return {applied = 1, login = renamed and 1 or 0, act = act, before = before}
