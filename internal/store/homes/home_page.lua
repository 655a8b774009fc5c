-- Reads a page of a home, latest first, without topics that are known to be deleted. Changes nothing.
-- KEYS home          ZSET        the home
-- KEYS owner         HASH        its owner
-- KEYS fence_before HASH        fence of the hour before
-- KEYS fence        HASH        fence of this hour
-- KEYS fence_next   HASH        fence of the next hour
-- ARGV after_score   string      score of the position after which the page is; "" for none
-- ARGV after_member  string      member of that position
-- ARGV before_score  string      score of the position before which the page is; "" for none
-- ARGV before_member string      member of that position
-- ARGV most          int:number  maximum number of rows
-- ARGV skip          int:number  number of rows to skip at its start
-- ARGV backward      flag        whether to take the last rows instead of the first
-- RETURN watermark   string      watermark of the home
-- RETURN rooms       string      changes of who sees a category that the home has followed; "" for none
-- RETURN left        int         number of rows skipped
-- RETURN position    int         position of the first row, from 0
-- RETURN rows        scored      the rows
local deleted = {}
for _, key in ipairs({fence_before, fence, fence_next}) do
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

-- Returns the number of entries before the position (score, mark); inclusive counts an entry at exactly
-- that position too.
local function before(score, mark, inclusive)
  local n = redis.call("ZCOUNT", home, "(" .. score, "+inf")
  for _, m in ipairs(redis.call("ZREVRANGEBYSCORE", home, score, score)) do
    if m > mark or (inclusive and m == mark) then
      n = n + 1
    end
  end
  return n
end

local first, last = 0, redis.call("ZCARD", home)
if after_score ~= "" then
  first = before(after_score, after_member, true)
end
if before_score ~= "" then
  last = before(before_score, before_member, false)
end
local rows, count, left, position = {}, 0, 0, first -- rows are members, each followed by its score
if backward then
  local at = last
  while count < most and at > first do
    local from = math.max(first, at - most)
    local part = redis.call("ZREVRANGE", home, from, at - 1, "WITHSCORES")
    for i = #part - 1, 1, -2 do
      if count < most and not dead(part[i]) then
        table.insert(rows, 1, part[i + 1])
        table.insert(rows, 1, part[i])
        count, position = count + 1, from + (i - 1) / 2
      end
    end
    at = from
  end
else
  local at = first
  while count < most and at < last do
    local part = redis.call("ZREVRANGE", home, at, math.min(at + most + skip, last) - 1, "WITHSCORES")
    for i = 1, #part, 2 do
      if count < most and not dead(part[i]) then
        if left < skip then
          left = left + 1
        else
          if count == 0 then
            position = at + (i - 1) / 2
          end
          rows[#rows + 1] = part[i]
          rows[#rows + 1] = part[i + 1]
          count = count + 1
        end
      end
    end
    at = at + #part / 2
    if #part == 0 then
      break
    end
  end
end
local watermark, rooms = unpack(redis.call("HMGET", internal(owner), "homeFloor", "homeRooms"))
return {watermark = watermark or "", rooms = rooms or "", left = left, position = position, rows = rows}
