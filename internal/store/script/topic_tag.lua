-- Gives and takes tags of a topic.
-- KEYS[1]  HASH  the topic
-- KEYS[2]  ZSET  dirty marks of the partition
-- ARGV[1]  topic id
-- ARGV[2]  viewer's id
-- ARGV[3]  "1" when the viewer is a moderator
-- ARGV[4]  now, Unix ms
-- ARGV[5]  most tags of a topic
-- ARGV[6]  how many tags are given
-- ARGV[7...] id and name of each tag that is given, then the ids of those taken
-- Returns  {dirty, state of the topic...}: 1 when the indexes may lag behind, and what
--          they need
-- Errors   NOT_FOUND, FORBIDDEN when it is somebody else's, LOCKED when it is
--          deleted, TOO_LONG_TAGS
local t = redis.call("HMGET", KEYS[1], "state", "author", "tags", "leftTags")
if not t[1] or (t[1] == "DELETED" and ARGV[2] ~= t[2] and ARGV[3] ~= "1") then
  return redis.error_reply("NOT_FOUND topicId")
end
if ARGV[2] ~= t[2] and ARGV[3] ~= "1" then
  return redis.error_reply("FORBIDDEN topicId")
end
if t[1] ~= "OPEN" then
  return redis.error_reply("LOCKED topicId")
end

local given = 7 + 2 * tonumber(ARGV[6])
local take, has, tags, left, changed = {}, {}, {}, t[4] or "", false
for i = given, #ARGV do
  take[ARGV[i]] = true
end
for id, name in string.gmatch(t[3] or "", "(%d+) ([^\n]+)") do
  if take[id] then
    -- The tag's index still holds the topic until it has been written anew;
    -- leftTags remembers it, should this process die before.
    if not string.find(" " .. left, " " .. id .. " ", 1, true) then
      left = left .. id .. " "
    end
    changed = true
  else
    has[id] = true
    tags[#tags + 1] = id .. " " .. name
  end
end
for i = 7, given - 1, 2 do
  if not has[ARGV[i]] then
    has[ARGV[i]], changed = true, true
    tags[#tags + 1] = ARGV[i] .. " " .. ARGV[i + 1]
  end
end
if changed and #tags > tonumber(ARGV[5]) then
  return redis.error_reply("TOO_LONG_TAGS add")
end
if changed then
  redis.call("HSET", KEYS[1], "tags", table.concat(tags, "\n"), "leftTags", left)
  redis.call("HSET", KEYS[1], "fan", redis.call("HINCRBY", KEYS[1], "rev", 1))
  redis.call("ZADD", KEYS[2], "NX", ARGV[4], "t:" .. ARGV[1])
  redis.call("PUBLISH", KEYS[1], "t")
end
local reply = redis.call("HMGET", KEYS[1], "rev", "state", "created", "active", "category", "left", "author",
  "up", "down", "tags", "leftTags", "day", "dayComments", "dayBefore", "fan")
table.insert(reply, 1, redis.call("ZSCORE", KEYS[2], "t:" .. ARGV[1]) and 1 or 0)
return reply
