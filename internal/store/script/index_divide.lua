-- Stores how far an index is divided, unless it is closed, or its division is further.
-- KEYS closed    STRING  exists once the index is closed
-- KEYS division  STRING  how far the index is divided
-- ARGV state     string  the state of the division: "copying" or "divided", and the number of parts
-- Returns  1 if it is stored, 0 if the index is closed, 2 if it is divided already
if redis.call("EXISTS", closed) == 1 then
  return 0
end
if string.match(redis.call("GET", division) or "", "^divided %d+$") and not string.match(state, "^divided ") then
  return 2
end
redis.call("SET", division, state)
return 1
