-- Gives a list of users another name.
-- KEYS[1]  HASH  the list
-- KEYS[2]  HASH  folded name -> list of the owner
-- ARGV[1]  list id
-- ARGV[2]  viewer's id
-- ARGV[3]  name
-- ARGV[4]  folded name
-- Returns  1
-- Errors   NOT_FOUND when it is not the viewer's, TAKEN
local l = redis.call("HMGET", KEYS[1], "owner", "fold")
if l[1] ~= ARGV[2] then
  return redis.error_reply("NOT_FOUND listId")
end
local holder = redis.call("HGET", KEYS[2], ARGV[4])
if holder and holder ~= ARGV[1] then
  return redis.error_reply("TAKEN name")
end
redis.call("HDEL", KEYS[2], l[2])
redis.call("HSET", KEYS[2], ARGV[4], ARGV[1])
redis.call("HSET", KEYS[1], "name", ARGV[3], "fold", ARGV[4])
return 1
