-- Deletes a category whose index is closed.
-- INCLUDE changed creation act event revert section_act
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
-- RETURN deleted         flag      false if the tabs that show it differ from those that the caller read
-- RETURN recorded        string    id of the act; "0" for none
local now = redis.call("ZRANGE", shown, 0, -1)
if #now ~= #tabs then
  return {deleted = false, recorded = "0"}
end
for i = 1, #tabs do
  if now[i] ~= tabs[i].id then
    return {deleted = false, recorded = "0"}
  end
end
local name, description, position = unpack(redis.call("HMGET", category, "name", "description", "position"))
local fold, deleting = unpack(redis.call("HMGET", internal(category), "fold", "deleting"))
local act, key
-- The field names who began, the act to revert, a reason, a nonce and a note.
local by, undone, why, note = string.match(deleting or "", "^(%d+):(%d*):([A-Z_]+):[^:]*:(.*)$")
act_by, act_reason, act_note = by or "0", why, note
if by and undone ~= "" then
  reverted = prefix .. undone
end
if fold then -- otherwise it was deleted before
  act, key = new_change()
end
if fold and redis.call("HGET", names, fold) == id then
  redis.call("HDEL", names, fold)
end
for i = 1, #tabs do
  redis.call("ZREM", tabs[i].categories, id)
  redis.call("HSET", tabs[i].tab, "categories", redis.call("ZCARD", tabs[i].categories))
  changed(nil, tabs[i].tab, "SECTION")
  if act then
    redis.call("HSET", internal(tabs[i].tab), "act", act)
  end
  event(tabs[i].tab .. ":ev", 1, "X", "")
end
redis.call("DEL", category, internal(category), shown, moderators)
changed(nil, category, "SECTION")
redis.call("ZREM", dirty, id)
redis.call("ZREM", categories, id)
change("name", name)
change("description", description or "")
change("position", position or "0")
change("tabs", table.concat(now, " "))
return {deleted = true, recorded = record_change(act, key, "DELETE_CATEGORY", "k" .. id)}
