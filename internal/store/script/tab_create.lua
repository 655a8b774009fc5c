-- Makes a tab of categories.
-- KEYS[1]  STRING  sequence of tabs
-- KEYS[2]  HASH    folded name -> tab
-- KEYS[3]  ZSET    all tabs
-- KEYS[4...] for each category: HASH the category, ZSET the tabs that show it
-- ARGV[1]  prefix of tab keys
-- ARGV[2]  name
-- ARGV[3]  folded name
-- ARGV[4]  now, Unix ms
-- ARGV[5]  most tabs of a category
-- ARGV[6...] ids of the categories; repetitions count once
-- Returns  the id
-- Errors   TAKEN name; NOT_FOUND categoryIds.N for the Nth category, from 0;
--          TOO_LONG_TABS categoryIds.N when it is in too many tabs
if redis.call("HEXISTS", KEYS[2], ARGV[3]) == 1 then
  return redis.error_reply("TAKEN name")
end
for i = 6, #ARGV do
  local key = 4 + 2 * (i - 6)
  if redis.call("EXISTS", KEYS[key]) == 0 then
    return redis.error_reply("NOT_FOUND categoryIds." .. (i - 6))
  end
  if redis.call("ZCARD", KEYS[key + 1]) >= tonumber(ARGV[5]) then
    return redis.error_reply("TOO_LONG_TABS categoryIds." .. (i - 6))
  end
end
local id = redis.call("INCR", KEYS[1])
local tab = ARGV[1] .. id
for i = 6, #ARGV do
  redis.call("ZADD", tab .. ":categories", ARGV[i], ARGV[i])
  redis.call("ZADD", KEYS[5 + 2 * (i - 6)], id, id)
end
redis.call("HSET", tab, "name", ARGV[2], "fold", ARGV[3], "created", ARGV[4], "categories", redis.call("ZCARD", tab .. ":categories"))
redis.call("HSET", KEYS[2], ARGV[3], id)
redis.call("ZADD", KEYS[3], id, id)
return id
