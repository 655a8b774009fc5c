-- Creates a category.
-- INCLUDE creation act section_act section_place
-- KEYS numbers     STRING  sequence of categories
-- KEYS names       HASH    folded name -> category
-- KEYS categories  ZSET    all categories
-- KEYS sources     HASH    categories imported from other sites
-- ARGV keys        string  prefix of category keys
-- ARGV name        string  name
-- ARGV fold        string  folded name
-- ARGV description string  description
-- ARGV position    int     its position among all
-- ARGV now         time    now
-- ARGV source      string  identifier of an imported category on its original site, or ""
-- RETURN id        category its id
-- RETURN recorded  string  id of the act; "0" for none
-- Errors   TAKEN name
if redis.call("HEXISTS", names, fold) == 1 then
  return redis.error_reply("TAKEN name")
end
local act, key = new_change()
local id = redis.call("INCR", numbers)
redis.call("HSET", keys .. id, "name", name, "fold", fold, "description", description, "position", position, "created", now)
redis.call("HSET", names, fold, id)
redis.call("ZADD", categories, place(position, id), id)
if source ~= "" then
  redis.call("HSET", sources, source, id)
end
change("name", nil, name)
change("description", nil, description)
change("position", nil, position)
return {id = id, recorded = record_change(act, key, "CREATE_CATEGORY", "k" .. id, keys .. id)}
