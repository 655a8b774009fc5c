-- Deletes a category whose index is closed.
-- KEYS[1]  HASH  the category
-- KEYS[2]  ZSET  categories being deleted
-- KEYS[3]  HASH  folded name -> category
-- KEYS[4]  ZSET  all categories
-- KEYS[5]  ZSET  the tabs that show it
-- KEYS[6...] for each tab in the order of ARGV: HASH the tab, ZSET its categories
-- ARGV[1]  id
-- ARGV[2...] ids of the tabs that show it, in their order in KEYS[5]
-- Returns  1 when it is gone, 0 when other tabs show it than the caller read
local tabs = redis.call("ZRANGE", KEYS[5], 0, -1)
if #tabs ~= #ARGV - 1 then
  return 0
end
for i = 1, #tabs do
  if tabs[i] ~= ARGV[i + 1] then
    return 0
  end
end
local fold = redis.call("HGET", KEYS[1], "fold")
if fold and redis.call("HGET", KEYS[3], fold) == ARGV[1] then
  redis.call("HDEL", KEYS[3], fold)
end
for i = 1, #tabs do
  redis.call("ZREM", KEYS[5 + 2 * i], ARGV[1])
  redis.call("HSET", KEYS[4 + 2 * i], "categories", redis.call("ZCARD", KEYS[5 + 2 * i]))
  redis.call("PUBLISH", KEYS[4 + 2 * i], "")
end
redis.call("DEL", KEYS[1], KEYS[5])
redis.call("ZREM", KEYS[2], ARGV[1])
redis.call("ZREM", KEYS[4], ARGV[1])
return 1
