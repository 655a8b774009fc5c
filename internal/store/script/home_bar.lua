-- Keeps late writes out of the homes of a partition: those of states of a topic that are
-- out of date.
-- KEYS[1]  HASH  what homes of the partition must not take, of this hour
-- ARGV[1]  topic id
-- ARGV[2]  "d" when the topic is deleted, else the revision before which states are out of date
-- ARGV[3]  when the hash expires, Unix s
-- Returns  1
local least = redis.call("HGET", KEYS[1], ARGV[1])
if not least or (least ~= "d" and (ARGV[2] == "d" or tonumber(least) < tonumber(ARGV[2]))) then
  redis.call("HSET", KEYS[1], ARGV[1], ARGV[2])
  redis.call("EXPIREAT", KEYS[1], ARGV[3])
end
return 1
