-- Deletes a tab.
-- INCLUDE changed creation act event revert outdated_act section_act
-- KEYS tab             HASH      the tab
-- KEYS names           HASH      folded name -> tab
-- KEYS tabs            ZSET      all tabs
-- KEYS members         ZSET      its categories
-- KEYS categories[].tabs ZSET    the tabs that show one of its categories
-- ARGV id              tab       the tab
-- ARGV categories[].id category  the category; in their order in members
-- RETURN deleted       flag      false if its categories differ from those that the caller read
-- RETURN recorded      string    id of the act; "0" for none
-- Errors   NOT_FOUND tabId, CHANGED
local name, position = unpack(redis.call("HMGET", tab, "name", "position"))
local fold = redis.call("HGET", internal(tab), "fold")
if not fold then
  return redis.error_reply("NOT_FOUND tabId")
end
local now = redis.call("ZRANGE", members, 0, -1)
if #now ~= #categories then
  return {deleted = false, recorded = "0"}
end
for i = 1, #categories do
  if now[i] ~= categories[i].id then
    return {deleted = false, recorded = "0"}
  end
end
local outdated = outdated_act({["name"] = name, ["position"] = position or "0",
  ["categories"] = table.concat(now, " ")})
if outdated then
  return outdated
end
local act, key = new_change()
for i = 1, #categories do
  redis.call("ZREM", categories[i].tabs, id)
end
redis.call("HDEL", names, fold)
redis.call("ZREM", tabs, id)
redis.call("DEL", tab, internal(tab), members)
changed(nil, tab, "SECTION")
event(tab .. ":ev", 1, "X", "")
change("name", name)
change("position", position or "0")
change("categories", table.concat(now, " "))
return {deleted = true, recorded = record_change(act, key, "DELETE_TAB", "b" .. id)}
