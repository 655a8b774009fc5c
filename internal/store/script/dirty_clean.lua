-- Takes dirty marks away from entities that did not change since they were indexed.
-- A topic whose homes were written forgets that they have to be.
-- KEYS[1]  ZSET  dirty marks of the partition
-- KEYS[2...] HASHes the entities
-- ARGV[3i-2], ARGV[3i-1], ARGV[3i]  mark and indexed revision of KEYS[i+1], and the
--          revision for which homes were written, ""
-- Returns  how many marks went
local n = 0
for i = 2, #KEYS do
  local mark, rev, fan = ARGV[3 * i - 5], ARGV[3 * i - 4], ARGV[3 * i - 3]
  if fan ~= "" and redis.call("HGET", KEYS[i], "fan") == fan then
    redis.call("HDEL", KEYS[i], "fan")
  end
  if redis.call("HGET", KEYS[i], "rev") == rev then
    n = n + redis.call("ZREM", KEYS[1], mark)
  end
end
return n
