-- Releases an idempotency key after a refused call.
-- INCLUDE row
-- KEYS record   STRING  "time input-hash result"
-- ARGV bound_to string  hash of the input to which it was bound, followed by the result if only that
--                         one must be forgotten
-- Returns  1 if it was bound to it, otherwise 0
local found = read_row(ROWS.made, redis.call("GET", record))
local bound = found and found.input .. " " .. found.result or ""
if string.sub(bound .. " ", 1, #bound_to + 1) == bound_to .. " " then
  return redis.call("DEL", record)
end
return 0
