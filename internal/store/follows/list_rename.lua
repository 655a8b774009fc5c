-- Renames a list of users.
-- KEYS list   HASH    the list
-- KEYS names  HASH    folded name -> list of the owner
-- ARGV id     list    the list
-- ARGV viewer user    the viewer
-- ARGV name   string  name
-- ARGV fold   string  folded name
-- Returns  1
-- Errors   NOT_FOUND if it is not the viewer's, TAKEN
local list_owner, old_fold = unpack(redis.call("HMGET", list, "owner", "fold"))
if list_owner ~= viewer then
  return redis.error_reply("NOT_FOUND listId")
end
local holder = redis.call("HGET", names, fold)
if holder and holder ~= id then
  return redis.error_reply("TAKEN name")
end
redis.call("HDEL", names, old_fold)
redis.call("HSET", names, fold, id)
redis.call("HSET", list, "name", name, "fold", fold)
return 1
