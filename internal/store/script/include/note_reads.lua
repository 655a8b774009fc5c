-- Counts and publishes that a notification of a user was marked as read; number 0 means several.
local function count_read(user, now, seq)
  local n = tonumber(string.match(redis.call("HGET", internal(user), "noteReads") or "", "^%d+") or "0")
  local last = string.format("%.0f", n + 1) .. " " .. now
  redis.call("HSET", internal(user), "noteReads", last)
  redis.call("PUBLISH", user, "read " .. last .. " " .. seq)
end
