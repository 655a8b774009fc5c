-- Ends one session of a user.
-- INCLUDE changed row session_ends
-- KEYS user     HASH    the user
-- KEYS sessions HASH    the user's sessions
-- ARGV name     string  the session's name: the first digits of its digest
-- ARGV now      time    now
-- Returns  1, or 0 if there is no such session
local all = redis.call("HGETALL", sessions)
for i = 1, #all, 2 do
  if name ~= "" and string.sub(all[i], 1, #name) == name and session_ends(all[i + 1]) > tonumber(now) then
    changed(nil, user, "ACCESS")
    return redis.call("HDEL", sessions, all[i])
  end
end
return 0
