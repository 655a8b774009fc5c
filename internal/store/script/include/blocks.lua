-- Reports whether a user of a partition, whose users' keys have that prefix, has blocked
-- another.
local function blocks(users, user, other)
  return redis.call("ZSCORE", users .. user .. ":blocked", other)
end
