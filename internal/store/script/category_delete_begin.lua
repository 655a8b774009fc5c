-- Begins the deletion of a category; whoever finds the mark can finish it.
-- KEYS[1]  HASH  the category
-- KEYS[2]  ZSET  categories being deleted
-- ARGV[1]  id
-- ARGV[2]  nonce of this attempt
-- ARGV[3]  now, Unix ms
-- Returns  1
-- Errors   NOT_FOUND categoryId
if redis.call("EXISTS", KEYS[1]) == 0 then
  return redis.error_reply("NOT_FOUND categoryId")
end
redis.call("HSET", KEYS[1], "deleting", ARGV[2])
redis.call("ZADD", KEYS[2], ARGV[3], ARGV[1])
return 1
