-- Makes this site the owner of a field of an account: tokens of issuers no longer change it. Other fields than those that
-- tokens set have no owner.
local function own(user, field)
  local owned = redis.call("HGET", internal(user), "owned")
  if not owned or not ({name = 1, avatar = 1, role = 1})[field] or string.find(" " .. owned .. " ", " " .. field .. " ", 1, true) then
    return
  end
  redis.call("HSET", internal(user), "owned", owned == "-" and field or owned .. " " .. field)
end
