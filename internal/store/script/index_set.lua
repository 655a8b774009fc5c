-- Sets or removes one entry in all orders of one index, unless a newer change
-- of that entry was written before.
-- KEYS[1]  HASH    revisions of the entries
-- KEYS[2]  ZSET    entries that left, by the time they did
-- KEYS[3]  STRING  there when the index takes no more entries
-- KEYS[4...] ZSETs the orders
-- ARGV[1]  id of the entry
-- ARGV[2]  its revision
-- ARGV[3]  its member in the orders
-- ARGV[4]  now, Unix ms
-- ARGV[5]  how long a removal is remembered, ms
-- ARGV[6...] the score in each order; none to remove the entry
-- Returns  1 when this or a newer revision stands, -1 when the index is closed
local old = redis.call("ZRANGEBYSCORE", KEYS[2], "-inf", string.format("(%d", tonumber(ARGV[4]) - tonumber(ARGV[5])), "LIMIT", 0, 100)
if #old > 0 then
  redis.call("HDEL", KEYS[1], unpack(old))
  redis.call("ZREM", KEYS[2], unpack(old))
end
if tonumber(redis.call("HGET", KEYS[1], ARGV[1]) or "0") >= tonumber(ARGV[2]) then
  return 1
end
if #ARGV < 6 then
  redis.call("HSET", KEYS[1], ARGV[1], ARGV[2])
  redis.call("ZADD", KEYS[2], ARGV[4], ARGV[1])
  for i = 4, #KEYS do
    redis.call("ZREM", KEYS[i], ARGV[3])
  end
  return 1
end
if redis.call("EXISTS", KEYS[3]) == 1 then
  return -1
end
redis.call("HSET", KEYS[1], ARGV[1], ARGV[2])
redis.call("ZREM", KEYS[2], ARGV[1])
for i = 4, #KEYS do
  redis.call("ZADD", KEYS[i], ARGV[i + 2], ARGV[3])
end
return 1
