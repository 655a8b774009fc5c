-- Begins the deletion of a category. Any process that finds the mark can finish it.
-- INCLUDE revert outdated_act despite_full
-- KEYS category HASH      the category
-- KEYS dirty    ZSET      categories being deleted
-- ARGV id       category  the category
-- ARGV nonce    string    who deletes it and why, and the nonce of this attempt; see category_delete_finish
-- ARGV now      time      now
-- Returns  1
-- Errors   NOT_FOUND category, CHANGED
if redis.call("EXISTS", category) == 0 then
  return redis.error_reply("NOT_FOUND category")
end
local name, description, position = unpack(redis.call("HMGET", category, "name", "description", "position"))
local outdated = outdated_act({name = name, description = description or "", position = position or "0"})
if outdated then
  return outdated
end
despite_full(dirty)
redis.call("HSET", internal(category), "deleting", nonce)
redis.call("ZADD", dirty, now, id)
return 1
