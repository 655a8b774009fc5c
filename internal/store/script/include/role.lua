-- The role of a user at a time: one that a token of an issuer said ends.
local function role_at(user, at)
  local role, till = unpack(redis.call("HMGET", user, "role", "roleUntil"))
  return till and tonumber(till) <= tonumber(at) and "USER" or role
end
