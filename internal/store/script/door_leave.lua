-- Takes back what door_take has counted, of a post that was refused then.
-- KEYS door     HASH    what the member posted
-- ARGV day      day     the day of the site
-- ARGV text     string  hash of the text, or ""
-- ARGV once    string  hash of the key of the call, or ""
-- Returns  1
if redis.call("HGET", door, "day") == day and tonumber(redis.call("HGET", door, "posts") or "0") > 0 then
  redis.call("HINCRBY", door, "posts", -1)
end
redis.call("HDEL", door, "x" .. text, "k" .. once)
return 1
