-- Deletes a tab.
-- INCLUDE changed
-- KEYS tab             HASH      the tab
-- KEYS names           HASH      folded name -> tab
-- KEYS tabs            ZSET      all tabs
-- KEYS members         ZSET      its categories
-- KEYS categories[].tabs ZSET    the tabs that show one of its categories
-- ARGV id              tab       the tab
-- ARGV categories[].id category  the category; in their order in members
-- Returns  1 if it is deleted, 0 if its categories differ from those that the caller read
-- Errors   NOT_FOUND tabId
local fold = redis.call("HGET", tab, "fold")
if not fold then
  return redis.error_reply("NOT_FOUND tabId")
end
local now = redis.call("ZRANGE", members, 0, -1)
if #now ~= #categories then
  return 0
end
for i = 1, #categories do
  if now[i] ~= categories[i].id then
    return 0
  end
end
for i = 1, #categories do
  redis.call("ZREM", categories[i].tabs, id)
end
redis.call("HDEL", names, fold)
redis.call("ZREM", tabs, id)
redis.call("DEL", tab, members)
changed(tab)
redis.call("PUBLISH", tab, "")
return 1
