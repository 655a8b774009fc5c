-- Reads a page of a sorted list between two positions. Changes nothing.
-- KEYS[1]  ZSET  the list
-- ARGV[1]  "1" when the list stands from the highest score down
-- ARGV[2], ARGV[3]  score and member of the position after which the page lies; "" for none
-- ARGV[4], ARGV[5]  score and member of the position before which it lies; "" for none
-- ARGV[6]  most rows
-- ARGV[7]  "1" to take the rows nearest to the end instead of the start
-- ARGV[8]  "1" to give the row before the first too
-- Returns  {length of the list, place of the first row from 0, how many rows before it
--          are given, member, score, member, score, ...}
local desc = ARGV[1] == "1"
local range = desc and "ZREVRANGE" or "ZRANGE"
local total = redis.call("ZCARD", KEYS[1])

-- How many entries stand before the position (score, member); inclusive counts
-- an entry at exactly that position too.
local function before(score, mark, inclusive)
  local n
  if desc then
    n = redis.call("ZCOUNT", KEYS[1], "(" .. score, "+inf")
  else
    n = redis.call("ZCOUNT", KEYS[1], "-inf", "(" .. score)
  end
  -- Among equal scores members stand in the order of bytes: a binary search finds the place.
  local low, high = n, n + redis.call("ZCOUNT", KEYS[1], score, score)
  while low < high do
    local middle = math.floor((low + high) / 2)
    local found = redis.call(range, KEYS[1], middle, middle)[1]
    local precedes
    if desc then precedes = found > mark else precedes = found < mark end
    if precedes or (inclusive and found == mark) then
      low = middle + 1
    else
      high = middle
    end
  end
  return low
end

local first, last = 0, total
if ARGV[2] ~= "" then
  first = before(ARGV[2], ARGV[3], true)
end
if ARGV[4] ~= "" then
  last = before(ARGV[4], ARGV[5], false)
end
local count = math.min(tonumber(ARGV[6]), math.max(last - first, 0))
if ARGV[7] == "1" then
  first = math.max(first, last - count)
end
local lead = (ARGV[8] == "1" and first > 0) and 1 or 0
local page = {total, first, lead}
if count + lead > 0 then -- an empty page has one before it too
  local rows = redis.call(range, KEYS[1], first - lead, first + count - 1, "WITHSCORES")
  for i = 1, #rows do
    page[i + 3] = rows[i]
  end
end
return page
