-- Takes dirty marks away from entities that did not change since they were indexed.
-- KEYS[1]  ZSET  dirty marks of the partition
-- KEYS[2...] HASHes the entities
-- ARGV[2i-1], ARGV[2i]  mark and indexed revision of KEYS[i+1]
-- Returns  how many marks went
local n = 0
for i = 2, #KEYS do
  if redis.call("HGET", KEYS[i], "rev") == ARGV[2 * (i - 1)] then
    n = n + redis.call("ZREM", KEYS[1], ARGV[2 * (i - 1) - 1])
  end
end
return n
