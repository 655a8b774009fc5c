-- Undoes post_count for a post that was refused afterwards.
-- KEYS recent   HASH    what the member posted
-- ARGV day      day     the day of the site
-- ARGV text     string  hash of the text, or ""
-- ARGV once    string  hash of the key of the call, or ""
-- Returns  1
if redis.call("HGET", recent, "day") == day and tonumber(redis.call("HGET", recent, "posts") or "0") > 0 then
  redis.call("HINCRBY", recent, "posts", -1)
end
redis.call("HDEL", recent, "x" .. text, "k" .. once)
return 1
