-- Creates a category.
-- INCLUDE section_place
-- KEYS sequence    STRING  sequence of categories
-- KEYS names       HASH    folded name -> category
-- KEYS categories  ZSET    all categories
-- KEYS sources     HASH    categories imported from other sites
-- ARGV prefix      string  prefix of category keys
-- ARGV name        string  name
-- ARGV fold        string  folded name
-- ARGV description string  description
-- ARGV position    int     its position among all
-- ARGV now         time    now
-- ARGV source      string  identifier of an imported category on its original site, or ""
-- Returns  the id
-- Errors   TAKEN name
if redis.call("HEXISTS", names, fold) == 1 then
  return redis.error_reply("TAKEN name")
end
local id = redis.call("INCR", sequence)
redis.call("HSET", prefix .. id, "name", name, "fold", fold, "description", description, "position", position, "created", now)
redis.call("HSET", names, fold, id)
redis.call("ZADD", categories, place(position, id), id)
if source ~= "" then
  redis.call("HSET", sources, source, id)
end
return id
