-- Closes a category's index for good if it is empty.
-- INCLUDE despite_full
-- KEYS closed  STRING  1 once the index is closed; "e" and an epoch while it accepts only entries as of that
-- KEYS order   ZSET    one of its orders
-- Returns  1 if it is closed, 0 if it has entries
local present = redis.call("GET", closed)
if present and not string.match(present, "^e%d+$") then
  return 1
end
if redis.call("ZCARD", order) > 0 then
  return 0
end
despite_full(order)
redis.call("SET", closed, "1")
return 1
