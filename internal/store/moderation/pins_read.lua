-- Reads the pinned topics of an index, with their scores in an order. Changes nothing.
-- KEYS pinned  ZSET    pinned topics by the time of pinning
-- KEYS order   ZSET    an order of the index
-- KEYS down    ZSET    those that have votes against
-- ARGV most    int     how many to read, the latest first
-- RETURN rows  strings for each pinned topic its member, when it was pinned, its score in the order, and the votes
--                      against
local rows = {}
local pins = redis.call("ZREVRANGE", pinned, 0, tonumber(most) - 1, "WITHSCORES")
for i = 1, #pins, 2 do
  local at = #rows
  rows[at + 1], rows[at + 2] = pins[i], pins[i + 1]
  rows[at + 3] = redis.call("ZSCORE", order, pins[i]) or "0"
  rows[at + 4] = redis.call("ZSCORE", down, pins[i]) or "0"
end
return {rows = rows}
