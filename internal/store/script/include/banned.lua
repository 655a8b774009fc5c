-- Checks whether a ban of this scope, nil for any, is in force: the error if one is, otherwise nil.
local function banned(user, at, scope)
  local what, till, why = unpack(redis.call("HMGET", user, "ban", "banUntil", "banReason"))
  if what and (not scope or what == scope) and (till == "0" or tonumber(at) < tonumber(till)) then
    return redis.error_reply("BANNED " .. what .. "." .. till .. "." .. why)
  end
end
