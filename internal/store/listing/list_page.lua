-- Reads a page of a sorted list between two positions. Changes nothing.
-- KEYS list          ZSET    the list
-- ARGV descending    flag    whether the list is ordered from the highest score down
-- ARGV after_score   string  score of the position after which the page is; "" for none
-- ARGV after_member  string  member of that position
-- ARGV before_score  string  score of the position before which the page is; "" for none
-- ARGV before_member string  member of that position
-- ARGV most          int     maximum number of rows
-- ARGV backward      flag    whether to take the last rows instead of the first
-- ARGV with_preceding flag    whether to return the row before the first too
-- RETURN total       int     length of the list
-- RETURN first       int     position of the first row, from 0
-- RETURN preceding   int     number of rows returned before it
-- RETURN rows        scored  the rows
local range = descending and "ZREVRANGE" or "ZRANGE"
local total = redis.call("ZCARD", list)

-- Returns the number of entries before the position (score, member); inclusive counts an entry at exactly
-- that position too.
local function before(score, mark, inclusive)
  local n
  if descending then
    n = redis.call("ZCOUNT", list, "(" .. score, "+inf")
  else
    n = redis.call("ZCOUNT", list, "-inf", "(" .. score)
  end
  -- Members with equal scores are ordered by bytes: a binary search finds the position.
  local low, high = n, n + redis.call("ZCOUNT", list, score, score)
  while low < high do
    local middle = math.floor((low + high) / 2)
    local found = unpack(redis.call(range, list, middle, middle))
    local precedes
    if descending then precedes = found > mark else precedes = found < mark end
    if precedes or (inclusive and found == mark) then
      low = middle + 1
    else
      high = middle
    end
  end
  return low
end

local first, last = 0, total
if after_score ~= "" then
  first = before(after_score, after_member, true)
end
if before_score ~= "" then
  last = before(before_score, before_member, false)
end
local count = math.min(tonumber(most), math.max(last - first, 0))
if backward then
  first = math.max(first, last - count)
end
local preceding = (with_preceding and first > 0) and 1 or 0
local rows = {}
if count + preceding > 0 then -- an empty page has a row before it too
  rows = redis.call(range, list, first - preceding, first + count - 1, "WITHSCORES")
end
return {total = total, first = first, preceding = preceding, rows = rows}
