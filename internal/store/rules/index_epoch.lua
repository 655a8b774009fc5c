-- Has a category's index accept only entries that were written by the rules as of an epoch, unless it is closed.
-- INCLUDE despite_full
-- KEYS closed  STRING  1 once the index is closed; "e" and the epoch
-- KEYS order   ZSET    one of its orders
-- ARGV epoch   int     the epoch
-- Returns  1; 0 if the index is closed
local present = redis.call("GET", closed)
local least = tonumber(string.match(present or "", "^e(%d+)$") or "0")
if present and least == 0 then
  return 0
end
if least < tonumber(epoch) then
  despite_full(order)
  redis.call("SET", closed, "e" .. epoch)
end
return 1
