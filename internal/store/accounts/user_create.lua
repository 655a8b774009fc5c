-- Begins a registration: stores the account, which is not yet active.
-- INCLUDE changed creation idempotency
-- ARGV login    string  login
-- ARGV fold     string  its folded form
-- ARGV name     string  name
-- ARGV nonce    string  nonce of the registration, unless it was begun before
-- ARGV fields[] pair    fields of the internal hash
-- RETURN new    flag    whether it was begun now; not if the key was used before with this input
-- RETURN id     user    its id
-- RETURN begun  string  nonce of the registration
-- Errors   IDEMPOTENCY_CONFLICT, EXHAUSTED
local made, conflict = made_before()
if conflict then
  return conflict
end
if made then
  local id, before = string.match(made, "^(%d+) (%S+)$")
  return {new = 0, id = id, begun = before}
end
local number, id, key = new_entity()
if not id then
  return redis.error_reply("EXHAUSTED")
end

redis.call("HSET", key, "state", "PENDING", "role", "USER", "login", login, "fold", fold, "name", name)
redis.call("HSET", internal(key), "nonce", nonce, "since", now, "topics", "0", "rev", "1", unpack(fields))
changed(now, key, "CLAIMS")
remember(id .. " " .. nonce)
return {new = 1, id = number, begun = nonce}
