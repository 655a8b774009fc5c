-- Stores how far an index is divided, and announces it.
-- KEYS divisions  HASH    index -> how far it is divided
-- ARGV field      string  the index
-- ARGV state      string  the state of the division; "" forgets it
-- Returns  1
if state == "" then
  redis.call("HDEL", divisions, field)
else
  redis.call("HSET", divisions, field, state)
end
redis.call("PUBLISH", divisions, "")
return 1
