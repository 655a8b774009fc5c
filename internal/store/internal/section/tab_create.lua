-- Creates a tab of categories.
-- INCLUDE changed creation act revert outdated_act section_act section_place
-- KEYS numbers               STRING    sequence of tabs
-- KEYS names                 HASH      folded name -> tab
-- KEYS tabs                  ZSET      all tabs
-- KEYS categories[].category HASH      a category
-- KEYS categories[].tabs     ZSET      the tabs that show it
-- ARGV keys                  string    prefix of tab keys
-- ARGV name                  string    name
-- ARGV fold                  string    folded name
-- ARGV position              int       its position among all
-- ARGV now                   time      now
-- ARGV most                  int       maximum number of tabs of a category
-- ARGV categories[].id       category  the category; duplicates are ignored
-- RETURN id                  tab       its id
-- RETURN recorded            string    id of the act; "0" for none
-- Errors   TAKEN name, CHANGED; NOT_FOUND categories.N for the Nth category, from 0;
--          TOO_LONG_TABS categories.N if it is in too many tabs
if redis.call("HEXISTS", names, fold) == 1 then
  return redis.error_reply("TAKEN name")
end
for i = 1, #categories do
  if redis.call("EXISTS", categories[i].category) == 0 then
    return redis.error_reply("NOT_FOUND categories." .. (i - 1))
  end
  if redis.call("ZCARD", categories[i].tabs) >= tonumber(most) then
    return redis.error_reply("TOO_LONG_TABS categories." .. (i - 1))
  end
end
local outdated = outdated_act()
if outdated then
  return outdated
end
local act, key = new_change()
local id = redis.call("INCR", numbers)
local tab = keys .. id
for i = 1, #categories do
  local category = categories[i].id
  redis.call("ZADD", tab .. ":categories", place(redis.call("HGET", categories[i].category, "position"), category), category)
  redis.call("ZADD", categories[i].tabs, place(position, id), id)
end
redis.call("HSET", tab, "name", name, "position", position, "categories", redis.call("ZCARD", tab .. ":categories"))
redis.call("HSET", internal(tab), "fold", fold, "created", now)
redis.call("HSET", names, fold, id)
redis.call("ZADD", tabs, place(position, id), id)
changed(nil, tab, "SECTION")
change("name", nil, name)
change("position", nil, position)
change("categories", nil, table.concat(redis.call("ZRANGE", tab .. ":categories", 0, -1), " "))
return {id = id, recorded = record_change(act, key, "CREATE_TAB", "b" .. id, tab)}
