-- Counts one click on a topic, at most once per visitor and ClickLife.
-- INCLUDE hidden moderates
-- KEYS topic     HASH    the topic
-- KEYS mark      STRING  mark of this visitor's last click on it
-- ARGV life      int     life of the mark, s
-- ARGV viewer    user    viewer's id, "0" if signed out
-- Returns  1 if the topic exists for the viewer, otherwise 0
local state, author, category = unpack(redis.call("HMGET", topic, "state", "author", "category"))
if hidden(state, author, viewer, moderates_topic(category)) then
  return 0
end
if redis.call("SET", mark, "1", "NX", "EX", life) then
  redis.call("HINCRBY", topic, "clicks", 1)
  redis.call("PUBLISH", topic, "t")
end
return 1
