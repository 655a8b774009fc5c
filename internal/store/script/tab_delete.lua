-- Deletes a tab.
-- KEYS[1]  HASH  the tab
-- KEYS[2]  HASH  folded name -> tab
-- KEYS[3]  ZSET  all tabs
-- KEYS[4]  ZSET  its categories
-- KEYS[5...] ZSETs the tabs that show each category
-- ARGV[1]  id
-- ARGV[2...] ids of its categories, in their order in KEYS[4]
-- Returns  1 when it is gone, 0 when it has other categories than the caller read
-- Errors   NOT_FOUND tabId
local fold = redis.call("HGET", KEYS[1], "fold")
if not fold then
  return redis.error_reply("NOT_FOUND tabId")
end
local categories = redis.call("ZRANGE", KEYS[4], 0, -1)
if #categories ~= #ARGV - 1 then
  return 0
end
for i = 1, #categories do
  if categories[i] ~= ARGV[i + 1] then
    return 0
  end
end
for i = 1, #categories do
  redis.call("ZREM", KEYS[4 + i], ARGV[1])
end
redis.call("HDEL", KEYS[2], fold)
redis.call("ZREM", KEYS[3], ARGV[1])
redis.call("DEL", KEYS[1], KEYS[4])
redis.call("PUBLISH", KEYS[1], "")
return 1
