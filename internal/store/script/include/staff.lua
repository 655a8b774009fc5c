-- Whose logins are never free again: those of somebody who moderates the site or a category, or did.

local function was_staff(user)
  local role, moderates = unpack(redis.call("HMGET", user, "role", "moderates"))
  return (role or "USER") ~= "USER" or (moderates or "") ~= "" or redis.call("HGET", internal(user), "staff") == "1"
end

-- Remembers that somebody is staff, before that may end.
local function note_staff(user)
  if was_staff(user) then
    redis.call("HSET", internal(user), "staff", "1")
  end
end

-- Returns until when a login that the user gives up rests: "0" is forever, "" that it is free. usual is for others.
local function rest_of_login(user, usual)
  return was_staff(user) and "0" or usual
end
