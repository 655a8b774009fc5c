-- Adds a topic to its author's profile and karma, and to the counts, or removes it once it is no longer listed.
-- KEYS stats    HASH   site counters of the partition
-- ARGV users    string prefix of users of the partition: the author is one of them
-- ARGV kept     int    approximate number of events that the stream of the profile keeps
local function count_topic(topic, change)
  local id, created, comments, author = string.match(topic, "%d+$"), unpack(redis.call("HMGET", topic,
    "created", "comments", "author"))
  local owner = users .. author
  local profile = owner .. ":profile"
  local member = string.format("%011x%08x", tonumber(created), tonumber(id))
  if change > 0 then
    if author ~= "0" and redis.call("ZADD", profile, created, member) == 1 then
      event(profile .. ":ev", kept, "A", member)
    end
  elseif redis.call("ZREM", profile, member) == 1 then
    event(profile .. ":ev", kept, "R", member)
  end
  add_karma(owner, change * karma_of(topic))
  if redis.call("EXISTS", owner) == 1 then
    redis.call("HSET", internal(owner), "topics", redis.call("ZCARD", profile))
  end
  redis.call("HINCRBY", stats, "topics", change)
  -- Not -tonumber: Redis refuses to add "-0".
  redis.call("HINCRBY", stats, "comments", string.format("%d", 0 + change * tonumber(comments)))
end
