-- Ends one session of a user.
-- KEYS[1]  HASH  the user's sessions
-- ARGV[1]  the session's name: the first digits of its digest
-- ARGV[2]  now, Unix ms
-- Returns  1, or 0 when there is no such session
local all = redis.call("HGETALL", KEYS[1])
for i = 1, #all, 2 do
  local ends = string.match(all[i + 1], "^%d+ %d+ (%d+)")
  if ARGV[1] ~= "" and string.sub(all[i], 1, #ARGV[1]) == ARGV[1] and tonumber(ends) > tonumber(ARGV[2]) then
    redis.call("PUBLISH", KEYS[1], "")
    return redis.call("HDEL", KEYS[1], all[i])
  end
end
return 0
