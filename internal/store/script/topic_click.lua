-- Counts one click on a topic, once per visitor and ClickLife.
-- KEYS[1]  HASH    the topic
-- KEYS[2]  STRING  mark of this visitor's last click on it
-- ARGV[1]  life of the mark, s
-- ARGV[2]  viewer's id, "0" when signed out
-- ARGV[3]  "1" when the viewer is a moderator
-- Returns  1 when the topic is there for the viewer, else 0
local t = redis.call("HMGET", KEYS[1], "state", "author")
-- Who is signed out is not the ghost, though both have no id.
if not t[1] or (t[1] == "DELETED" and (ARGV[2] ~= t[2] or ARGV[2] == "0") and ARGV[3] ~= "1") then
  return 0
end
if redis.call("SET", KEYS[2], "1", "NX", "EX", ARGV[1]) then
  redis.call("HINCRBY", KEYS[1], "clicks", 1)
  redis.call("PUBLISH", KEYS[1], "t")
end
return 1
