-- Sets or removes an entry of a list of names in all its orders, unless a newer state of it was already written.
-- INCLUDE despite_full
-- KEYS revisions HASH    id -> "revision member" that was written last, without a member once it was removed
-- KEYS removed   ZSET    removed entries by the time of removal
-- KEYS orders[]  ZSET    the orders
-- ARGV now       time    now
-- ARGV memory    millis  how long a removal is remembered
-- ARGV id        int     id of the entry
-- ARGV rev       int     its revision
-- ARGV member    string  its member in the orders; "" removes it
-- ARGV scores[]  string  its score in each order
-- Returns  1 if it was written, 0 if this or a newer revision was written before
local old = redis.call("ZRANGEBYSCORE", removed, "-inf", string.format("(%d", tonumber(now) - tonumber(memory)), "LIMIT", 0, 100)
if #old > 0 then
  redis.call("HDEL", revisions, unpack(old))
  redis.call("ZREM", removed, unpack(old))
end
despite_full(removed)
local last, before = string.match(redis.call("HGET", revisions, id) or "", "^(%d+) ?(.*)$")
if tonumber(last or "-1") >= tonumber(rev) then
  return 0
end
for o = 1, #orders do
  if before and before ~= "" and before ~= member then
    redis.call("ZREM", orders[o], before)
  end
  if member ~= "" then
    redis.call("ZADD", orders[o], scores[o], member)
  end
end
if member == "" then
  redis.call("HSET", revisions, id, rev)
  redis.call("ZADD", removed, now, id)
else
  redis.call("HSET", revisions, id, rev .. " " .. member)
  redis.call("ZREM", removed, id)
end
return 1
