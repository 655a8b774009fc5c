-- Makes a category.
-- KEYS[1]  STRING  sequence of categories
-- KEYS[2]  HASH    folded name -> category
-- KEYS[3]  ZSET    all categories
-- KEYS[4]  HASH    what categories of other sites became
-- ARGV[1]  prefix of category keys
-- ARGV[2]  name
-- ARGV[3]  folded name
-- ARGV[4]  description
-- ARGV[5]  now, Unix ms
-- ARGV[6]  name of the category on the site that it is imported from, or ""
-- Returns  the id
-- Errors   TAKEN name
if redis.call("HEXISTS", KEYS[2], ARGV[3]) == 1 then
  return redis.error_reply("TAKEN name")
end
local id = redis.call("INCR", KEYS[1])
redis.call("HSET", ARGV[1] .. id, "name", ARGV[2], "fold", ARGV[3], "description", ARGV[4], "created", ARGV[5])
redis.call("HSET", KEYS[2], ARGV[3], id)
redis.call("ZADD", KEYS[3], id, id)
if ARGV[6] ~= "" then
  redis.call("HSET", KEYS[4], ARGV[6], id)
end
return id
