-- Keeps the name of a tag as long as it has topics or followers; the bookkeeping of its index expires some
-- time after the last topic. Run it after the index was written.
-- KEYS tag       HASH    the tag
-- KEYS order     ZSET    one of the orders of its index
-- KEYS revisions HASH    revisions of the index's entries
-- KEYS removed   ZSET    removed entries
-- KEYS followers ZSET    users who follow the tag
-- ARGV name      string  the name as it was written now, "" if the tag was removed
-- ARGV expires   string  when the bookkeeping of an empty index expires, Unix s
-- Returns  1
if redis.call("ZCARD", order) == 0 then
  if redis.call("ZCARD", followers) == 0 then
    redis.call("DEL", tag)
  end
  redis.call("EXPIREAT", revisions, expires)
  redis.call("EXPIREAT", removed, expires)
  return 1
end
redis.call("PERSIST", revisions)
redis.call("PERSIST", removed)
if name ~= "" then
  redis.call("HSETNX", tag, "name", name)
end
return 1
