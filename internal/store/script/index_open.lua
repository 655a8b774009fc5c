-- Opens a part of an index again, if the mark of its closing is that of an attempt.
-- KEYS closed  STRING  exists once the part is closed
-- ARGV attempt string  the attempt
-- Returns  1 if it was opened, otherwise 0
if redis.call("GET", closed) ~= attempt then
  return 0
end
return redis.call("DEL", closed)
