-- Closes a category's index, or a part of it, if it is empty: an index for good, a part unless it is opened again.
-- INCLUDE despite_full
-- KEYS closed       STRING  exists once the index is closed: the attempt that closed it, or took it over
-- KEYS order        ZSET    one of its orders
-- KEYS division     STRING  how far the index is divided
-- ARGV attempt      string  the attempt to close it
-- ARGV parts_closed flag    all parts of a divided index are closed; what is left in it is not in use
-- Returns  1 if it is closed, 0 if it has entries; the number of parts that are
--          to be closed first if it is divided
local is_closed = redis.call("EXISTS", closed) == 1
local parts = string.match(redis.call("GET", division) or "", "^divided (%d+)$")
if not is_closed and parts and not parts_closed then
  return tonumber(parts)
end
if not is_closed and not parts and redis.call("ZCARD", order) > 0 then
  return 0
end
despite_full(order)
redis.call("SET", closed, attempt)
return 1
