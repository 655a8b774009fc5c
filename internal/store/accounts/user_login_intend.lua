-- Begins a change of login: records the new one, which is claimed next.
-- INCLUDE changed own staff login_change note_said login_by row
-- KEYS user     HASH    the user
-- KEYS releases SET     claims that the user releases
-- ARGV id       user    the user
-- ARGV password string  password hash that the password was checked against, if the user asks
-- ARGV applied  time    when the claims of the token were applied
-- ARGV now      time    now
-- ARGV limit    millis  how long a change may take
-- ARGV every    millis  how long a login must be kept
-- ARGV login    string  new login
-- ARGV fold     string  its folded form
-- ARGV nonce    string  nonce of the change
-- ARGV claims   string  names of the claims' keys: of the login, then of its looks
-- ARGV looks    string  those of its looks
-- Returns  1, or 0 if it is the same login, of which only the spelling was changed; of a token also if the login looks
--          like the old one, was set here, or newer claims were applied
-- Errors   UNAUTHENTICATED if the account is not active, WRONG_CREDENTIALS if the password was changed concurrently,
--          RENAMED with the time from which on it can be changed, ALIKE if it looks like the old one, CONFLICT if
--          another change is in progress
local account = internal(user)
local state, old_fold = unpack(redis.call("HMGET", user, "state", "fold"))
local now_password, old_claim, old_looks, renamed, pending_since = unpack(redis.call("HMGET", account,
  "password", "loginClaim", "lookClaims", "renamed", "newLoginSince"))
if state ~= "ACTIVE" then
  return redis.error_reply("UNAUTHENTICATED")
end
if external ~= "" then
  local entry = read_row(ROWS.external, redis.call("HGET", externals, external))
  if not entry or string.match(entry.applied, "^%d+") ~= applied or owns(user, "login") then
    return 0
  end
elseif now_password ~= password then
  return redis.error_reply("WRONG_CREDENTIALS password")
end
if pending_since and tonumber(pending_since) + tonumber(limit) > tonumber(now) then
  return redis.error_reply("CONFLICT login")
end
if old_fold == fold and (not old_looks or old_looks == looks) then
  if redis.call("HGET", user, "login") ~= login then
    changed(nil, user, "LOGIN")
  end
  set_login(user, login)
  return 0
end
for claim in string.gmatch(claims, "%S+") do
  if string.find(" " .. old_claim .. " " .. (old_looks or "") .. " ", " " .. claim .. " ", 1, true) then
    if external ~= "" then
      note_said(externals, external, said)
      return 0
    end
    return redis.error_reply("ALIKE login")
  end
end
if renamed and tonumber(renamed) + tonumber(every) > tonumber(now) then
  return redis.error_reply("RENAMED login " .. string.format("%.0f", tonumber(renamed) + tonumber(every)))
end

abandon_login_change(user, releases, id)
redis.call("HSET", account, "newLogin", login, "newLoginFold", fold, "newLoginNonce", nonce, "newLoginClaims", claims,
  "newLoginSince", now)
redis.call("HINCRBY", account, "rev", 1)
changed(now, user, "CLAIMS")
return 1
