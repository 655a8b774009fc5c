-- Notes that a user manages a group, or no longer does, in the hash of the groups that users manage.
local function manage(managed, user, group, on)
  local kept = {}
  for id in string.gmatch(redis.call("HGET", managed, user) or "", "%d+") do
    if id ~= group then
      kept[#kept + 1] = id
    end
  end
  if on then
    kept[#kept + 1] = group
  end
  if #kept == 0 then
    redis.call("HDEL", managed, user)
  else
    redis.call("HSET", managed, user, table.concat(kept, " "))
  end
end
