-- Renames or describes a category.
-- KEYS[1]  HASH  the category
-- KEYS[2]  HASH  folded name -> category
-- ARGV[1]  id
-- ARGV[2]  new folded name, "" to leave it
-- ARGV[3...] field, value pairs to change
-- Returns  1
-- Errors   NOT_FOUND categoryId, TAKEN name
local old = redis.call("HGET", KEYS[1], "fold")
if not old then
  return redis.error_reply("NOT_FOUND categoryId")
end
if ARGV[2] ~= "" and ARGV[2] ~= old then
  if redis.call("HEXISTS", KEYS[2], ARGV[2]) == 1 then
    return redis.error_reply("TAKEN name")
  end
  redis.call("HDEL", KEYS[2], old)
  redis.call("HSET", KEYS[2], ARGV[2], ARGV[1])
  redis.call("HSET", KEYS[1], "fold", ARGV[2])
end
if #ARGV > 2 then
  redis.call("HSET", KEYS[1], unpack(ARGV, 3))
end
return 1
