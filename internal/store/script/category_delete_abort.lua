-- Gives up the deletion of a category that has topics, unless another attempt
-- began since.
-- KEYS[1]  HASH  the category
-- KEYS[2]  ZSET  categories being deleted
-- ARGV[1]  id
-- ARGV[2]  nonce of this attempt, "" to take a left-over mark away
-- Returns  1 when it was given up, else 0
if (redis.call("HGET", KEYS[1], "deleting") or "") ~= ARGV[2] then
  return 0
end
redis.call("HDEL", KEYS[1], "deleting")
redis.call("ZREM", KEYS[2], ARGV[1])
return 1
