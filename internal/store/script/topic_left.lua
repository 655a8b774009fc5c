-- Forgets the categories and tags that a topic has left, once their indexes know.
-- KEYS[1]  HASH  the topic
-- ARGV[1]  revision of the topic when the indexes were written
-- Returns  1
if redis.call("HGET", KEYS[1], "rev") == ARGV[1] then
  redis.call("HDEL", KEYS[1], "left", "leftTags")
end
return 1
