-- Begins a registration: stores the account, which is not yet active.
-- INCLUDE creation idempotency
-- KEYS dirty    ZSET    dirty marks of the partition
-- ARGV fields[] pair    fields of the account
-- RETURN new    flag    whether it was begun now; not if the key was used before with this input
-- RETURN id     user    its id
-- RETURN nonce  string  nonce of the registration
-- Errors   IDEMPOTENCY_CONFLICT, EXHAUSTED
local made, conflict = made_before()
if conflict then
  return conflict
end
if made then
  local id, nonce = string.match(made, "^(%d+) (%S+)$")
  return {new = 0, id = id, nonce = nonce}
end
local number, id, key = new_entity()
if not id then
  return redis.error_reply("EXHAUSTED")
end

redis.call("HSET", key, "state", "PENDING", "role", "USER", "since", now, "topics", "0", "rev", "1", unpack(fields))
redis.call("ZADD", dirty, "NX", now, "u:" .. id)
local nonce = redis.call("HGET", key, "nonce")
remember(id .. " " .. nonce)
return {new = 1, id = number, nonce = nonce}
