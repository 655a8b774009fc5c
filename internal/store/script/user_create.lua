-- Begins a registration: the account, not yet active.
-- KEYS[1]  STRING  sequence of the user's partition
-- KEYS[2]  ZSET    dirty marks of the partition
-- KEYS[3]  STRING  idempotency record
-- ARGV[1]  prefix of user keys of the partition
-- ARGV[2]  number of the partition
-- ARGV[3]  number of partitions
-- ARGV[4]  largest id
-- ARGV[5]  now, Unix ms
-- ARGV[6]  hash of the input, or "" without idempotency key
-- ARGV[7]  life of an idempotency record, ms
-- ARGV[8]  when the record expires, Unix s; "" never, for imports
-- ARGV[9...] field, value pairs of the account
-- Returns  {1, id, nonce} or, when the key was used before with this input and
--          that account is there, {0, id, nonce}
-- Errors   IDEMPOTENCY_CONFLICT, EXHAUSTED
if ARGV[6] ~= "" then
  local record = redis.call("GET", KEYS[3])
  if record then
    local at, input, id, nonce = string.match(record, "^(%d+) (%S+) (%d+) (%S+)$")
    if tonumber(at) + tonumber(ARGV[7]) > tonumber(ARGV[5]) then
      if input ~= ARGV[6] then
        return redis.error_reply("IDEMPOTENCY_CONFLICT idempotencyKey")
      end
      if ARGV[8] ~= "" then
        redis.call("EXPIREAT", KEYS[3], ARGV[8])
      end
      return {0, tonumber(id), nonce}
    end
  end
end
local seq = tonumber(redis.call("GET", KEYS[1]) or "0") + 1
local id = seq * tonumber(ARGV[3]) + tonumber(ARGV[2])
local key = ARGV[1] .. string.format("%d", id)
if id > tonumber(ARGV[4]) or redis.call("EXISTS", key) == 1 then
  return redis.error_reply("EXHAUSTED")
end

redis.call("SET", KEYS[1], string.format("%d", seq))
redis.call("HSET", key, "state", "PENDING", "role", "USER", "since", ARGV[5], "topics", "0", "rev", "1", unpack(ARGV, 9))
redis.call("ZADD", KEYS[2], "NX", ARGV[5], "u:" .. string.format("%d", id))
local nonce = redis.call("HGET", key, "nonce")
if ARGV[6] ~= "" then
  redis.call("SET", KEYS[3], ARGV[5] .. " " .. ARGV[6] .. " " .. string.format("%d", id) .. " " .. nonce)
  if ARGV[8] ~= "" then
    redis.call("EXPIREAT", KEYS[3], ARGV[8])
  end
end
return {1, id, nonce}
