-- Gives an idempotency key free after a refused call.
-- KEYS[1]  STRING  "time input-hash 0"
-- ARGV[1]  hash of the input to which it was bound
-- Returns  1 when it was bound to it, else 0
local record = redis.call("GET", KEYS[1])
if record and string.match(record, "^%d+ (%S+) ") == ARGV[1] then
  return redis.call("DEL", KEYS[1])
end
return 0
