-- Takes dirty marks away from entities that did not change since they were indexed.
-- A topic whose homes were written forgets that they have to be, and what it has left.
-- KEYS[1]  ZSET  dirty marks of the partition
-- KEYS[2...] HASHes the entities
-- ARGV[4i-3], ARGV[4i-2], ARGV[4i-1], ARGV[4i]  mark and indexed revision of KEYS[i+1], the
--          revision for which homes were written, "" for none, and "1" when the indexes of
--          what it has left know
-- Returns  how many marks went
local n = 0
for i = 2, #KEYS do
  local mark, rev, fan, left = ARGV[4 * i - 7], ARGV[4 * i - 6], ARGV[4 * i - 5], ARGV[4 * i - 4]
  if fan ~= "" and redis.call("HGET", KEYS[i], "fan") == fan then
    redis.call("HDEL", KEYS[i], "fan")
  end
  if redis.call("HGET", KEYS[i], "rev") == rev then
    if left == "1" then
      redis.call("HDEL", KEYS[i], "left", "leftTags")
    end
    n = n + redis.call("ZREM", KEYS[1], mark)
  end
end
return n
