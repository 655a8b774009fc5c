-- Gives an idempotency key free after a refused call.
-- KEYS[1]  STRING  "time input-hash result"
-- ARGV[1]  hash of the input to which it was bound, and the result if only that
--          is to be forgotten
-- Returns  1 when it was bound to it, else 0
local record = redis.call("GET", KEYS[1])
local bound = record and string.match(record, "^%d+ (.*)$") or ""
if string.sub(bound .. " ", 1, #ARGV[1] + 1) == ARGV[1] .. " " then
  return redis.call("DEL", KEYS[1])
end
return 0
