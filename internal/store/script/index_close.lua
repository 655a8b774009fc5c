-- Closes a category's index, or a part of it, permanently if it is empty.
-- INCLUDE despite_full
-- KEYS closed       STRING  exists once the index is closed
-- KEYS order        ZSET    one of its orders
-- KEYS division     STRING  how far the index is divided
-- ARGV parts_closed flag    all parts of a divided index are closed
-- Returns  1 if it is closed, 0 if it has entries; the number of parts that are
--          to be closed first if it is divided
if redis.call("EXISTS", closed) == 1 then
  return 1
end
local parts = string.match(redis.call("GET", division) or "", "^divided (%d+)$")
if parts and not parts_closed then
  return tonumber(parts)
end
if redis.call("ZCARD", order) > 0 then
  return 0
end
despite_full(order)
redis.call("SET", closed, "1")
return 1
