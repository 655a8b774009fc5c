-- Changes rules of the site.
-- KEYS rules     HASH    the rules
-- ARGV removed[] string  fields to remove
-- ARGV fields[]  pair    fields to set
-- Returns  1
for i = 1, #removed do
  redis.call("HDEL", rules, removed[i])
end
if #fields > 0 then
  redis.call("HSET", rules, unpack(fields))
end
return 1
