-- Reads the page of a list of comments in whose middle a number is. Changes nothing.
-- KEYS list        ZSET        the list, by number
-- ARGV descending  flag        whether the highest number comes first
-- ARGV number      int         the number
-- ARGV most        int:number  maximum number of rows
-- RETURN total     int         length of the list
-- RETURN first     int         position of the first row, from 0
-- RETURN rows      scored      the rows
local total = redis.call("ZCARD", list)
local range, before
if descending then
  range, before = "ZREVRANGE", redis.call("ZCOUNT", list, "(" .. number, "+inf")
else
  range, before = "ZRANGE", redis.call("ZCOUNT", list, "-inf", "(" .. number)
end
local first = math.max(0, math.min(before - math.floor(most / 2), total - most))
return {total = total, first = first, rows = redis.call(range, list, first, first + most - 1, "WITHSCORES")}
