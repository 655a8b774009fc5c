-- Reads a page of the entries of a list of names whose names have a prefix. Changes nothing.
-- KEYS names         ZSET    members: the name, a line feed and the id, all at score 0
-- KEYS order?        ZSET    the same members by another score; only if the page is in that order
-- ARGV prefix        string  the prefix
-- ARGV considered    int     how many names, in their order, the other order considers
-- ARGV after_score   string  score of the position after which the page is; "" for none
-- ARGV after_member  string  member of that position
-- ARGV before_score  string  score of the position before which the page is; "" for none
-- ARGV before_member string  member of that position
-- ARGV most          int     maximum number of rows
-- ARGV backward      flag    whether to take the last rows instead of the first
-- ARGV with_preceding flag    whether to return the row before the first too
-- RETURN total       int     number of entries with the prefix
-- RETURN first       int     position of the first row among these, from 0
-- RETURN preceding   int     number of rows returned before it
-- RETURN rows        scored  the rows
local least, beyond = "[" .. prefix, "(" .. prefix .. "\255"
local first, last, low, total, sorted

if order then
  sorted = {}
  for _, member in ipairs(redis.call("ZRANGEBYLEX", names, least, beyond, "LIMIT", 0, considered)) do
    local score = redis.call("ZSCORE", order, member)
    if score then
      sorted[#sorted + 1] = {tonumber(score), member, score}
    end
  end
  table.sort(sorted, function(a, b)
    return a[1] < b[1] or (a[1] == b[1] and a[2] < b[2])
  end)
  low, total = 0, #sorted
  first, last = 0, total
  for i = 1, total do
    local score, member = sorted[i][1], sorted[i][2]
    if after_score ~= "" and (score < tonumber(after_score) or (score == tonumber(after_score) and member <= after_member)) then
      first = i
    end
    if before_score ~= "" and i <= last and
      (score > tonumber(before_score) or (score == tonumber(before_score) and member >= before_member)) then
      last = i - 1
    end
  end
else
  low = redis.call("ZLEXCOUNT", names, "-", "(" .. prefix)
  total = redis.call("ZLEXCOUNT", names, least, beyond)
  first, last = low, low + total
  if after_score ~= "" then
    first = math.max(first, redis.call("ZLEXCOUNT", names, "-", "[" .. after_member))
  end
  if before_score ~= "" then
    last = math.min(last, redis.call("ZLEXCOUNT", names, "-", "(" .. before_member))
  end
end

local count = math.min(tonumber(most), math.max(last - first, 0))
if backward then
  first = math.max(first, last - count)
end
local preceding = (with_preceding and first > low) and 1 or 0
local rows = {}
if count + preceding > 0 and not order then
  rows = redis.call("ZRANGE", names, first - preceding, first + count - 1, "WITHSCORES")
elseif order then
  for i = first - preceding + 1, first + count do
    rows[#rows + 1] = sorted[i][2]
    rows[#rows + 1] = sorted[i][3]
  end
end
return {total = total, first = first - low, preceding = preceding, rows = rows}
