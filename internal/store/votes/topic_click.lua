-- Counts one click on a topic, at most once per visitor and ClickLife.
-- INCLUDE changed rights
-- KEYS topic     HASH    the topic
-- KEYS mark      STRING  mark of this visitor's last click on it
-- ARGV life      int     life of the mark, s
-- ARGV viewer    user    viewer's id, "0" if signed out
-- Returns  number of clicks on the topic, this one included; -1 if it does not exist for the viewer
local state, author, category = unpack(redis.call("HMGET", topic, "state", "author", "category"))
if hidden(state, author, viewer, category) then
  return -1
end
if redis.call("SET", mark, "1", "NX", "EX", life) then
  local clicks = redis.call("HINCRBY", topic, "clicks", 1)
  changed(nil, topic, "CLICKS")
  return clicks
end
return tonumber(redis.call("HGET", topic, "clicks") or 0)
