-- Reads a page of a home, latest first, without topics that are known to be deleted.
-- Changes nothing.
-- KEYS[1]  ZSET  the home
-- KEYS[2]  HASH  its owner
-- KEYS[3], KEYS[4], KEYS[5]  HASHes of what homes must not take, of the hours around now
-- ARGV[1], ARGV[2]  score and member of the position after which the page lies; "" for none
-- ARGV[3], ARGV[4]  score and member of the position before which it lies; "" for none
-- ARGV[5]  most rows
-- ARGV[6]  how many rows to leave out at its start
-- ARGV[7]  "1" to take the rows nearest to the end instead of the start
-- Returns  {floor of the home, how many rows were left out, place of the first row from 0,
--          member, score, member, score, ...}
local deleted = {}
for _, key in ipairs({KEYS[3], KEYS[4], KEYS[5]}) do
  if redis.call("EXISTS", key) == 1 then
    deleted[#deleted + 1] = key
  end
end
local function dead(member)
  for _, key in ipairs(deleted) do
    if redis.call("HGET", key, string.format("%d", tonumber(member, 16))) == "d" then
      return true
    end
  end
  return false
end

-- How many entries stand before the position (score, mark); inclusive counts an entry at
-- exactly that position too.
local function before(score, mark, inclusive)
  local n = redis.call("ZCOUNT", KEYS[1], "(" .. score, "+inf")
  for _, m in ipairs(redis.call("ZREVRANGEBYSCORE", KEYS[1], score, score)) do
    if m > mark or (inclusive and m == mark) then
      n = n + 1
    end
  end
  return n
end

local first, last = 0, redis.call("ZCARD", KEYS[1])
if ARGV[1] ~= "" then
  first = before(ARGV[1], ARGV[2], true)
end
if ARGV[3] ~= "" then
  last = before(ARGV[3], ARGV[4], false)
end
local most, skip, left = tonumber(ARGV[5]), tonumber(ARGV[6]), 0
local rows, place = {}, first
if ARGV[7] == "1" then
  local at = last
  while #rows < most and at > first do
    local from = math.max(first, at - most)
    local part = redis.call("ZREVRANGE", KEYS[1], from, at - 1, "WITHSCORES")
    for i = #part - 1, 1, -2 do
      if #rows < most and not dead(part[i]) then
        table.insert(rows, 1, {part[i], part[i + 1]})
        place = from + (i - 1) / 2
      end
    end
    at = from
  end
else
  local at = first
  while #rows < most and at < last do
    local part = redis.call("ZREVRANGE", KEYS[1], at, math.min(at + most + skip, last) - 1, "WITHSCORES")
    for i = 1, #part, 2 do
      if #rows < most and not dead(part[i]) then
        if left < skip then
          left = left + 1
        else
          if #rows == 0 then
            place = at + (i - 1) / 2
          end
          rows[#rows + 1] = {part[i], part[i + 1]}
        end
      end
    end
    at = at + #part / 2
    if #part == 0 then
      break
    end
  end
end
local page = {redis.call("HGET", KEYS[2], "homeFloor") or "", left, place}
for _, row in ipairs(rows) do
  page[#page + 1] = row[1]
  page[#page + 1] = row[2]
end
return page
