-- Removes the mark of a category whose audience was changed, unless it was changed again.
-- KEYS rules    HASH     the rules
-- KEYS marks    ZSET     categories whose audience was changed
-- ARGV category category the category
-- ARGV epoch    int      the epoch of the rules that a task follows
-- Returns  1 if it was removed, otherwise 0
if (redis.call("HGET", rules, "epoch:" .. category) or "0") ~= epoch then
  return 0
end
return redis.call("ZREM", marks, category)
