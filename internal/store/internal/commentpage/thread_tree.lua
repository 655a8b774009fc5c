-- Reads the newest comments of a topic with their parents. Changes nothing.
-- KEYS comments   ZSET     all comments of the topic
-- ARGV prefix     string   prefix of comments of the partition
-- ARGV most       int      maximum number of comments
-- RETURN total    int      comments of the topic, at all depths
-- RETURN tree     strings  the comments, newest first, each followed by its parent, 0 for none
local tree = {}
for _, id in ipairs(redis.call("ZREVRANGE", comments, 0, tonumber(most) - 1)) do
  tree[#tree + 1], tree[#tree + 2] = id, redis.call("HGET", prefix .. id, "parent") or "0"
end
return {total = redis.call("ZCARD", comments), tree = tree}
