-- Counts a comment in its topic and parent again, with change 1, or no longer, with -1, and raises its revisions. at has
-- the time and the keys of its topic, parent (or nil), site counters, authors and tombstones; day is that of its posting.
-- INCLUDE changed
local function count_comment(at, comment, id, day, change)
  local author, number, up, down = unpack(redis.call("HMGET", comment, "author", "floor", "up", "down"))
  redis.call("HINCRBY", internal(comment), "rev", 1)
  if up or down then -- what its author's karma counts changes
    redis.call("HINCRBY", internal(comment), "votes", 1)
  end
  local member = string.format("%08x%08x", tonumber(author), tonumber(number))
  if change > 0 then
    redis.call("ZADD", at.authors, 0, member)
    redis.call("ZREM", at.tombstones, id)
  else
    redis.call("ZREM", at.authors, member)
    redis.call("ZADD", at.tombstones, number, id)
  end
  if at.parent then
    redis.call("HINCRBY", at.parent, "replies", change)
  end
  redis.call("HINCRBY", at.topic, "comments", change)
  local state, audience, latest_day = unpack(redis.call("HMGET", at.topic, "state", "audience", "day"))
  if latest_day == day then
    redis.call("HINCRBY", at.topic, "dayComments", change)
  elseif latest_day and tonumber(latest_day) == tonumber(day) + 1 then
    redis.call("HINCRBY", at.topic, "dayBefore", change)
  end
  redis.call("HINCRBY", internal(at.topic), "rev", 1)
  if listed(state) and audience == "PUBLIC" then -- otherwise the site does not count the topic's comments
    redis.call("HINCRBY", at.stats, "comments", change)
  end
  changed(at.now, at.topic, "REPLIES", at.parent, "ANSWERS")
end
