-- Gives an idempotency key free after a refused call.
-- KEYS record   STRING  "time input-hash result"
-- ARGV bound_to string  hash of the input to which it was bound, and the result if only that
--                         is to be forgotten
-- Returns  1 when it was bound to it, else 0
local found = redis.call("GET", record)
local bound = found and string.match(found, "^%d+ (.*)$") or ""
if string.sub(bound .. " ", 1, #bound_to + 1) == bound_to .. " " then
  return redis.call("DEL", record)
end
return 0
