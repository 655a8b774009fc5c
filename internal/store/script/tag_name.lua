-- Keeps the name of a tag for as long as a topic bears it. Run it after the tag's
-- index was written.
-- KEYS[1]  HASH  the tag
-- KEYS[2]  ZSET  one of the orders of its index
-- ARGV[1]  the name as it was written now, "" when the tag was taken
-- Returns  1
if redis.call("ZCARD", KEYS[2]) == 0 then
  redis.call("DEL", KEYS[1])
elseif ARGV[1] ~= "" then
  redis.call("HSETNX", KEYS[1], "name", ARGV[1])
end
return 1
