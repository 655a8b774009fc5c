-- Reports whether a user of a partition has blocked another; users is the key prefix of the partition's
-- users.
local function blocks(users, user, other)
  return redis.call("ZSCORE", users .. user .. ":blocked", other)
end
