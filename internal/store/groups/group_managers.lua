-- Changes who manages a group.
-- INCLUDE managed
-- KEYS group     HASH   the group
-- KEYS managers  ZSET   its managers
-- KEYS managed   HASH   user -> groups that the user manages
-- ARGV id        group  the group
-- ARGV now       time   now
-- ARGV most      int    maximum number of managers
-- ARGV add[]     user   who manages it from now on
-- ARGV remove[]  user   who no longer does; nobody to add
-- RETURN changed strings who became a manager, or no longer is one
-- Errors   NOT_FOUND group, TOO_LONG_MANAGERS add if there would be too many
if redis.call("EXISTS", group) == 0 then
  return redis.error_reply("NOT_FOUND group")
end
local come, go, seen = {}, {}, {}
for i = 1, #add do
  if not seen[add[i]] and not redis.call("ZSCORE", managers, add[i]) then
    come[#come + 1] = add[i]
  end
  seen[add[i]] = true
end
for i = 1, #remove do
  if not seen[remove[i]] and redis.call("ZSCORE", managers, remove[i]) then
    go[#go + 1] = remove[i]
  end
  seen[remove[i]] = true
end
if #come > 0 and redis.call("ZCARD", managers) + #come - #go > tonumber(most) then
  return redis.error_reply("TOO_LONG_MANAGERS add")
end
for _, user in ipairs(go) do
  redis.call("ZREM", managers, user)
  manage(managed, user, id, false)
end
for _, user in ipairs(come) do
  redis.call("ZADD", managers, now, user)
  manage(managed, user, id, true)
  go[#go + 1] = user
end
return {changed = go}
