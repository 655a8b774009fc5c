-- Releases an idempotency key after a refused call.
-- KEYS record   STRING  "time input-hash result"
-- ARGV bound_to string  hash of the input to which it was bound, followed by the result if only that
--                         one must be forgotten
-- Returns  1 if it was bound to it, otherwise 0
local found = redis.call("GET", record)
local bound = found and string.match(found, "^%d+ (.*)$") or ""
if string.sub(bound .. " ", 1, #bound_to + 1) == bound_to .. " " then
  return redis.call("DEL", record)
end
return 0
