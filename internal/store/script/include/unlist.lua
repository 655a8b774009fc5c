-- Removes a deleted topic from its author's profile and karma, and from the counts.
-- KEYS author  HASH    the author (same partition)
-- KEYS profile ZSET    the author's profile
-- KEYS events  STREAM  events of the profile; exists only while watched
-- KEYS stats   HASH    site counters of the partition
-- ARGV kept    int     approximate number of events that the stream keeps
local function unlist(topic, id, created, comments)
  local member = string.format("%011x%08x", tonumber(created), tonumber(id))
  if redis.call("ZREM", profile, member) == 1 then
    event(events, kept, "R", member)
  end
  add_karma(author, 0 - karma_of(topic))
  if redis.call("EXISTS", author) == 1 then
    redis.call("HSET", author, "topics", redis.call("ZCARD", profile))
  end
  redis.call("HINCRBY", stats, "topics", -1)
  -- Not -tonumber: Redis refuses to add "-0".
  redis.call("HINCRBY", stats, "comments", 0 - tonumber(comments))
end
