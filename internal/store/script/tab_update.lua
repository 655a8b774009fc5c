-- Renames a tab, adds and removes categories.
-- KEYS[1]  HASH  the tab
-- KEYS[2]  HASH  folded name -> tab
-- KEYS[3]  ZSET  its categories
-- KEYS[4...] for each category to add, then to remove: HASH the category, ZSET the tabs that show it
-- ARGV[1]  id
-- ARGV[2]  new name, "" to leave it
-- ARGV[3]  new folded name
-- ARGV[4]  most tabs of a category
-- ARGV[5]  most categories of a tab
-- ARGV[6]  how many categories to add
-- ARGV[7...] ids of the categories to add, then to remove; repetitions count once
-- Returns  1
-- Errors   NOT_FOUND tabId, TAKEN name; NOT_FOUND addCategoryIds.N or
--          removeCategoryIds.N; TOO_LONG_TABS addCategoryIds.N when it is in too
--          many tabs; TOO_LONG_TAB addCategoryIds when the tab would be too long
local old = redis.call("HGET", KEYS[1], "fold")
if not old then
  return redis.error_reply("NOT_FOUND tabId")
end
local rename = ARGV[2] ~= ""
if rename and ARGV[3] ~= old and redis.call("HEXISTS", KEYS[2], ARGV[3]) == 1 then
  return redis.error_reply("TAKEN name")
end
local adding = tonumber(ARGV[6])
local count = redis.call("ZCARD", KEYS[3])
local seen = {}
for i = 7, #ARGV do
  local n = i - 7
  local there = redis.call("ZSCORE", KEYS[3], ARGV[i])
  local field = n < adding and "addCategoryIds." .. n or "removeCategoryIds." .. (n - adding)
  if redis.call("EXISTS", KEYS[4 + 2 * n]) == 0 then
    return redis.error_reply("NOT_FOUND " .. field)
  end
  if seen[ARGV[i]] then
    there = n < adding
  end
  seen[ARGV[i]] = true
  if n < adding and not there then
    if redis.call("ZCARD", KEYS[5 + 2 * n]) >= tonumber(ARGV[4]) then
      return redis.error_reply("TOO_LONG_TABS " .. field)
    end
    count = count + 1
  elseif n >= adding and there then
    count = count - 1
  end
end
if count > tonumber(ARGV[5]) then
  return redis.error_reply("TOO_LONG_TAB addCategoryIds")
end

if rename then
  redis.call("HDEL", KEYS[2], old)
  redis.call("HSET", KEYS[2], ARGV[3], ARGV[1])
  redis.call("HSET", KEYS[1], "name", ARGV[2], "fold", ARGV[3])
end
for i = 7, #ARGV do
  local n = i - 7
  if n < adding then
    redis.call("ZADD", KEYS[3], ARGV[i], ARGV[i])
    redis.call("ZADD", KEYS[5 + 2 * n], ARGV[1], ARGV[1])
  else
    redis.call("ZREM", KEYS[3], ARGV[i])
    redis.call("ZREM", KEYS[5 + 2 * n], ARGV[1])
  end
end
redis.call("HSET", KEYS[1], "categories", redis.call("ZCARD", KEYS[3]))
redis.call("PUBLISH", KEYS[1], "")
return 1
