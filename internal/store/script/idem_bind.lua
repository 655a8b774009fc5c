-- Binds a user's idempotency key to one input for a day.
-- KEYS[1]  STRING  "time input-hash 0"
-- ARGV[1]  now, Unix ms
-- ARGV[2]  hash of the input
-- ARGV[3]  life of the record, ms
-- ARGV[4]  when it expires, Unix s
-- Returns  1
-- Errors   IDEMPOTENCY_CONFLICT when it is bound to other input
local record = redis.call("GET", KEYS[1])
if record then
  local at, input = string.match(record, "^(%d+) (%S+) ")
  if tonumber(at) + tonumber(ARGV[3]) > tonumber(ARGV[1]) then
    if input ~= ARGV[2] then
      return redis.error_reply("IDEMPOTENCY_CONFLICT idempotencyKey")
    end
    redis.call("EXPIREAT", KEYS[1], ARGV[4])
    return 1
  end
end
redis.call("SET", KEYS[1], ARGV[1] .. " " .. ARGV[2] .. " 0")
redis.call("EXPIREAT", KEYS[1], ARGV[4])
return 1
