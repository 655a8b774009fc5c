-- Keeps the name of a tag for as long as a topic bears it or somebody follows it; the
-- book-keeping of its index goes some time after the last topic. Run it after the index
-- was written.
-- KEYS[1]  HASH  the tag
-- KEYS[2]  ZSET  one of the orders of its index
-- KEYS[3]  HASH  revisions of the index's entries
-- KEYS[4]  ZSET  entries that left
-- KEYS[5]  ZSET  who follows the tag
-- ARGV[1]  the name as it was written now, "" when the tag was taken
-- ARGV[2]  when the book-keeping of an empty index expires, Unix s
-- Returns  1
if redis.call("ZCARD", KEYS[2]) == 0 then
  if redis.call("ZCARD", KEYS[5]) == 0 then
    redis.call("DEL", KEYS[1])
  end
  redis.call("EXPIREAT", KEYS[3], ARGV[2])
  redis.call("EXPIREAT", KEYS[4], ARGV[2])
  return 1
end
redis.call("PERSIST", KEYS[3])
redis.call("PERSIST", KEYS[4])
if ARGV[1] ~= "" then
  redis.call("HSETNX", KEYS[1], "name", ARGV[1])
end
return 1
