-- Stores how far an index is divided, unless its division is further, and announces it.
-- KEYS divisions  HASH    index -> how far it is divided
-- ARGV field      string  the index
-- ARGV state      string  the state of the division; "" forgets it
-- Returns  1, or 0 if the division is further
local place = {copying = 1, reading = 2, divided = 3}
local function place_of(text)
  return place[string.match(text or "", "^(%a+) %d+$")] or 0
end
if state == "" then
  redis.call("HDEL", divisions, field)
elseif place_of(redis.call("HGET", divisions, field)) > place_of(state) then
  return 0
else
  redis.call("HSET", divisions, field, state)
end
redis.call("PUBLISH", divisions, "")
return 1
