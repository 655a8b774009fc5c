-- Keeps the name of a tag for as long as a topic has it or somebody follows it; the
-- book-keeping of its index goes some time after the last topic. Run it after the index
-- was written.
-- KEYS tag       HASH    the tag
-- KEYS order     ZSET    one of the orders of its index
-- KEYS revisions HASH    revisions of the index's entries
-- KEYS removed   ZSET    entries that left
-- KEYS followers ZSET    who follows the tag
-- ARGV name      string  the name as it was written now, "" when the tag was taken
-- ARGV expires   string  when the book-keeping of an empty index expires, Unix s
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
