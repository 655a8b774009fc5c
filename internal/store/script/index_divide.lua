-- Stores how far an index is divided, unless it is closed.
-- KEYS closed    STRING  exists once the index is closed
-- KEYS division  STRING  how far the index is divided
-- ARGV state     string  the state of the division
-- Returns  1, or 0 if the index is closed
if redis.call("EXISTS", closed) == 1 then
  return 0
end
redis.call("SET", division, state)
return 1
