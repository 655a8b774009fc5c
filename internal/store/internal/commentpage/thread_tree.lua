-- Reads the newest comments of a topic with their parents. Changes nothing.
-- KEYS comments   ZSET     all comments of the topic
-- ARGV prefix     string   prefix of comments of the partition
-- ARGV around     int      number of a comment, or of a later one; 0 for none
-- ARGV most       int      maximum number of comments
-- RETURN total    int      comments of the topic, at all depths
-- RETURN opened   comment  the comment with that number or the last one before it; 0 if there is none
-- RETURN tree     strings  the comments, newest first, each followed by its parent, 0 for none
local tree = {}
for _, id in ipairs(redis.call("ZREVRANGE", comments, 0, tonumber(most) - 1)) do
  tree[#tree + 1], tree[#tree + 2] = id, redis.call("HGET", prefix .. id, "parent") or "0"
end
local at = redis.call("ZREVRANGEBYSCORE", comments, around, "-inf", "LIMIT", 0, 1)[1]
return {total = redis.call("ZCARD", comments), opened = at or "0", tree = tree}
