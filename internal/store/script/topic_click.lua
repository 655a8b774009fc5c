-- Counts one click on a topic, at most once per visitor and ClickLife.
-- KEYS topic     HASH    the topic
-- KEYS mark      STRING  mark of this visitor's last click on it
-- ARGV life      int     life of the mark, s
-- ARGV viewer    user    viewer's id, "0" if signed out
-- ARGV moderator flag    whether the viewer is a moderator
-- Returns  1 if the topic exists for the viewer, otherwise 0
local state, author = unpack(redis.call("HMGET", topic, "state", "author"))
-- A viewer who is signed out is not the ghost, though both have no id.
if not state or (state == "DELETED" and (viewer ~= author or viewer == "0") and not moderator) then
  return 0
end
if redis.call("SET", mark, "1", "NX", "EX", life) then
  redis.call("HINCRBY", topic, "clicks", 1)
  redis.call("PUBLISH", topic, "t")
end
return 1
