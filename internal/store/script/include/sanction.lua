-- Checks whether a moderator may act on a user. Returns an error if not, and the user's ban, its end and its act if it
-- is in force.
local function may_act_on(user, at)
  local state, what, till, act = unpack(redis.call("HMGET", user, "state", "ban", "banUntil", "banAct"))
  if state ~= "ACTIVE" then
    return redis.error_reply("NOT_FOUND userId")
  end
  if not outranks(role_at(user, at)) then
    return redis.error_reply("RANK userId")
  end
  if what and till ~= "0" and tonumber(till) <= tonumber(at) then
    return
  end
  return nil, what, till, act
end
