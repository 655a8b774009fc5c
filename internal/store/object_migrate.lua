-- Brings an object from the layout before version 3 to version 3: what readers are not shown moves to its internal hash,
-- and a long text to a string of its own. Running it again changes nothing.
-- INCLUDE set_text
-- KEYS object  HASH   the object
-- ARGV post    flag   whether it has a text
-- ARGV topic   flag   whether it is a topic, which then is for everybody
-- ARGV names[] string the names of the fields of its internal hash
-- Returns  1
local moved, from = {}, {}
for i, value in ipairs(redis.call("HMGET", object, unpack(names))) do
  if value then
    moved[#moved + 1] = names[i]
    moved[#moved + 1] = value
    from[#from + 1] = names[i]
  end
end
redis.call("HDEL", object, "wrote") -- of users, no longer used
if #from > 0 then
  redis.call("HSET", internal(object), unpack(moved))
  redis.call("HDEL", object, unpack(from))
end
local content = post and redis.call("HGET", object, "content")
if content and #content > tonumber(short) then
  set_text(object, redis.call("HGET", object, "revision") or "1", content)
end
if topic and redis.call("EXISTS", object) == 1 then
  redis.call("HSETNX", object, "audience", "PUBLIC")
end
return 1
