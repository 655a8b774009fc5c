-- Deletes a category whose index is closed.
-- INCLUDE changed
-- KEYS category          HASH      the category
-- KEYS dirty             ZSET      categories being deleted
-- KEYS names             HASH      folded name -> category
-- KEYS categories        ZSET      all categories
-- KEYS shown             ZSET      the tabs that show it
-- KEYS moderators        ZSET      who moderates it
-- KEYS tabs[].tab        HASH      a tab that shows it
-- KEYS tabs[].categories ZSET      the tab's categories
-- ARGV id                category  the category
-- ARGV tabs[].id         tab       the tab; in their order in shown
-- Returns  1 if it is deleted, 0 if the tabs that show it differ from those that the caller read
local now = redis.call("ZRANGE", shown, 0, -1)
if #now ~= #tabs then
  return 0
end
for i = 1, #tabs do
  if now[i] ~= tabs[i].id then
    return 0
  end
end
local fold = redis.call("HGET", category, "fold")
if fold and redis.call("HGET", names, fold) == id then
  redis.call("HDEL", names, fold)
end
for i = 1, #tabs do
  redis.call("ZREM", tabs[i].categories, id)
  redis.call("HSET", tabs[i].tab, "categories", redis.call("ZCARD", tabs[i].categories))
  changed(tabs[i].tab)
  redis.call("PUBLISH", tabs[i].tab, "")
end
redis.call("DEL", category, shown, moderators)
changed(category)
redis.call("ZREM", dirty, id)
redis.call("ZREM", categories, id)
return 1
