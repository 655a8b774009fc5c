-- Creates a category.
-- INCLUDE changed creation act event revert outdated_act section_act section_place
-- KEYS numbers     STRING  sequence of categories
-- KEYS names       HASH    folded name -> category
-- KEYS categories  ZSET    all categories
-- KEYS sources     HASH    categories imported from other sites
-- KEYS tabs[].tab  HASH    a tab that shows it
-- KEYS tabs[].of   ZSET    the tab's categories
-- ARGV keys        string  prefix of category keys
-- ARGV name        string  name
-- ARGV fold        string  folded name
-- ARGV description string  description
-- ARGV position    int     its position among all
-- ARGV now         time    now
-- ARGV source      string  identifier of an imported category on its original site, or ""
-- ARGV most        int     maximum number of categories of a tab
-- ARGV tabs[].id   tab     the tab
-- RETURN id        category its id
-- RETURN recorded  string  id of the act; "0" for none
-- Errors   TAKEN name, CHANGED; NOT_FOUND tabs.N for the Nth tab, from 0; TOO_LONG_TAB tabs.N
if redis.call("HEXISTS", names, fold) == 1 then
  return redis.error_reply("TAKEN name")
end
local outdated = outdated_act()
if outdated then
  return outdated
end
for i = 1, #tabs do
  if redis.call("EXISTS", tabs[i].tab) == 0 then
    return redis.error_reply("NOT_FOUND tabs." .. (i - 1))
  end
  if redis.call("ZCARD", tabs[i].of) >= tonumber(most) then
    return redis.error_reply("TOO_LONG_TAB tabs." .. (i - 1))
  end
end
local act, key = new_change()
local id = redis.call("INCR", numbers)
redis.call("HSET", keys .. id, "name", name, "description", description, "position", position)
redis.call("HSET", internal(keys .. id), "fold", fold, "created", now)
redis.call("HSET", names, fold, id)
redis.call("ZADD", categories, place(position, id), id)
for i = 1, #tabs do
  local tab = tabs[i].tab
  redis.call("ZADD", tabs[i].of, place(position, id), id)
  redis.call("ZADD", keys .. id .. ":tabs", place(redis.call("HGET", tab, "position"), tabs[i].id), tabs[i].id)
  redis.call("HSET", tab, "categories", redis.call("ZCARD", tabs[i].of))
  changed(nil, tab, "SECTION")
  event(tab .. ":ev", 1, "X", "")
end
changed(nil, keys .. id, "SECTION")
if source ~= "" then
  redis.call("HSET", sources, source, id)
end
change("name", nil, name)
change("description", nil, description)
change("position", nil, position)
return {id = id, recorded = record_change(act, key, "CREATE_CATEGORY", "k" .. id, keys .. id)}
