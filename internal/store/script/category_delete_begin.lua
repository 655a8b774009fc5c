-- Begins the deletion of a category. Any process that finds the mark can finish it.
-- INCLUDE despite_full
-- KEYS category HASH      the category
-- KEYS dirty    ZSET      categories being deleted
-- ARGV id       category  the category
-- ARGV nonce    string    who deletes it, a colon, and the nonce of this attempt
-- ARGV now      time      now
-- Returns  1
-- Errors   NOT_FOUND category
if redis.call("EXISTS", category) == 0 then
  return redis.error_reply("NOT_FOUND category")
end
despite_full(dirty)
redis.call("HSET", category, "deleting", nonce)
redis.call("ZADD", dirty, now, id)
return 1
