-- Renames or moves a tab, and adds and removes categories.
-- INCLUDE changed creation act event revert outdated_act section_act section_place
-- KEYS tab               HASH      the tab
-- KEYS names             HASH      folded name -> tab
-- KEYS members           ZSET      its categories
-- KEYS all               ZSET      all tabs
-- KEYS now[].tabs        ZSET      the tabs that show one of its categories
-- KEYS add[].category    HASH      a category to add
-- KEYS add[].tabs        ZSET      the tabs that show it
-- KEYS remove[].category HASH      a category to remove
-- KEYS remove[].tabs     ZSET      the tabs that show it
-- ARGV id                tab       the tab
-- ARGV name              string    new name, "" to leave it unchanged
-- ARGV fold              string    new folded name
-- ARGV position          string    new position, "" to leave it unchanged; only then may now be empty
-- ARGV most_tabs         int       maximum number of tabs of a category
-- ARGV most_members      int       maximum number of categories of a tab
-- ARGV now[].id          category  the category; in their order in members
-- ARGV add[].id          category  the category; duplicates are ignored
-- ARGV remove[].id       category  the category; duplicates are ignored
-- RETURN done            flag      false if its categories differ from those that the caller read
-- RETURN recorded        string    id of the act; "0" for none
-- Errors   NOT_FOUND tabId, TAKEN name, CHANGED; NOT_FOUND addCategories.N or
--          removeCategories.N; TOO_LONG_TABS addCategories.N if it is in too
--          many tabs; TOO_LONG_TAB addCategories if the tab would be too long
local old_name, old_position = unpack(redis.call("HMGET", tab, "name", "position"))
local old = redis.call("HGET", internal(tab), "fold")
if not old then
  return redis.error_reply("NOT_FOUND tabId")
end
local had = redis.call("ZRANGE", members, 0, -1)
local outdated = outdated_act({["name"] = old_name, ["position"] = old_position or "0",
  ["categories"] = table.concat(had, " ")})
if outdated then
  return outdated
end
local rename = name ~= ""
if rename and fold ~= old and redis.call("HEXISTS", names, fold) == 1 then
  return redis.error_reply("TAKEN name")
end
local count, seen = redis.call("ZCARD", members), {}
for i = 1, #add do
  local category = add[i].id
  if redis.call("EXISTS", add[i].category) == 0 then
    return redis.error_reply("NOT_FOUND addCategories." .. (i - 1))
  end
  if not seen[category] and not redis.call("ZSCORE", members, category) then
    if redis.call("ZCARD", add[i].tabs) >= tonumber(most_tabs) then
      return redis.error_reply("TOO_LONG_TABS addCategories." .. (i - 1))
    end
    count = count + 1
  end
  seen[category] = true
end
for i = 1, #remove do
  local category = remove[i].id
  if redis.call("EXISTS", remove[i].category) == 0 then
    return redis.error_reply("NOT_FOUND removeCategories." .. (i - 1))
  end
  if not seen[category] and redis.call("ZSCORE", members, category) then
    count = count - 1
  end
  seen[category] = true
end
if count > tonumber(most_members) then
  return redis.error_reply("TOO_LONG_TAB addCategories")
end

if position ~= "" then
  if #had ~= #now then
    return {done = false, recorded = "0"}
  end
  for i = 1, #now do
    if had[i] ~= now[i].id then
      return {done = false, recorded = "0"}
    end
  end
end
local act, key = new_change()
if position ~= "" then
  redis.call("HSET", tab, "position", position)
  redis.call("ZADD", all, place(position, id), id)
  for i = 1, #now do
    redis.call("ZADD", now[i].tabs, place(position, id), id)
  end
end
local score = place(redis.call("HGET", tab, "position"), id)
if rename then
  redis.call("HDEL", names, old)
  redis.call("HSET", names, fold, id)
  redis.call("HSET", tab, "name", name)
  redis.call("HSET", internal(tab), "fold", fold)
end
for i = 1, #add do
  local category = add[i].id
  redis.call("ZADD", members, place(redis.call("HGET", add[i].category, "position"), category), category)
  redis.call("ZADD", add[i].tabs, score, id)
end
for i = 1, #remove do
  redis.call("ZREM", members, remove[i].id)
  redis.call("ZREM", remove[i].tabs, id)
end
redis.call("HSET", tab, "categories", redis.call("ZCARD", members))
local before, after = table.concat(had, " "), table.concat(redis.call("ZRANGE", members, 0, -1), " ")
if before ~= after then
  event(tab .. ":ev", 1, "X", "")
end
if rename then
  change("name", old_name, name)
end
if position ~= "" then
  change("position", old_position or "0", position)
end
change("categories", before, after)
if any_change() then
  changed(nil, tab, "SECTION")
end
return {done = true, recorded = record_change(act, key, "UPDATE_TAB", "b" .. id, tab)}
