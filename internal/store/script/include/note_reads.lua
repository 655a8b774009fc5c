-- Counts and publishes that a notification of a user was marked as read; number 0 means several.
-- INCLUDE row changed
local function count_read(user, now, seq)
  local before = read_row(ROWS.reads, redis.call("HGET", internal(user), "noteReads"))
  local last = row_text(ROWS.reads, {number = string.format("%.0f", (before and before.number or 0) + 1), time = now})
  redis.call("HSET", internal(user), "noteReads", last)
  changed(nil, user, "READ:" .. string.gsub(last, " ", ":") .. ":" .. seq)
end
