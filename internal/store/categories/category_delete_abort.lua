-- Abandons the deletion of a category that has topics, unless another attempt has begun since.
-- KEYS category HASH      the category
-- KEYS dirty    ZSET      categories being deleted
-- ARGV id       category  the category
-- ARGV nonce    string    nonce of this attempt, "" to remove a left-over mark
-- Returns  1 if it was abandoned, otherwise 0
if (redis.call("HGET", internal(category), "deleting") or "") ~= nonce then
  return 0
end
redis.call("HDEL", internal(category), "deleting")
redis.call("ZREM", dirty, id)
return 1
