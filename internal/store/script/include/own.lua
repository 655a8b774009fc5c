-- The fields of an account that tokens of issuers set, too, have an owner: this site, or the tokens. Other fields have none.
local function owns(user, field)
  local owned = redis.call("HGET", internal(user), "owned") or "login name avatar role"
  return string.find(" " .. owned .. " ", " " .. field .. " ", 1, true) ~= nil
end

-- Makes this site the owner of a field: tokens no longer change it.
local function own(user, field)
  local owned = string.find(" login name avatar role ", " " .. field .. " ", 1, true) and redis.call("HGET", internal(user), "owned")
  if not owned or owns(user, field) then
    return
  end
  redis.call("HSET", internal(user), "owned", owned == "-" and field or owned .. " " .. field)
end
