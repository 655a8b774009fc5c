-- Gives a comment its number, adds it to its topic and parent, and counts it. at has the keys of its topic, parent (or
-- nil), site counters, authors, comments, siblings, and of the votes on the comments of the topic and on the replies to
-- the parent; day is that of its posting, and voted whether it already has votes, as only an imported one may.
local function post_comment(at, comment, id, author, created, day, voted)
  local active, last_number, latest_day, day_comments, day_before, count, rev = unpack(redis.call("HMGET", at.topic,
    "active", "floor", "day", "dayComments", "dayBefore", "comments", "rev"))
  local number = tonumber(last_number) + 1
  redis.call("HSET", comment, "floor", number)
  redis.call("ZADD", at.comments, number, id)
  redis.call("ZADD", at.siblings, number, id)
  redis.call("ZADD", at.authors, 0, string.format("%08x%08x", tonumber(author), number))
  if at.parent then
    redis.call("HINCRBY", at.parent, "replies", 1)
  end
  if voted then
    local up, down = unpack(redis.call("HMGET", comment, "up", "down"))
    if up or down then
      for _, votes in ipairs({at.topic_votes, at.parent_votes}) do
        redis.call("HSET", votes, id, (up or "0") .. " " .. (down or "0"))
      end
    end
  end

  local changed = {"floor", number, "comments", string.format("%d", tonumber(count or "0") + 1),
    "rev", string.format("%d", tonumber(rev or "0") + 1)}
  local function change(field, value)
    changed[#changed + 1], changed[#changed + 2] = field, value
  end
  -- An import may add older comments: the time of last activity never decreases.
  if tonumber(created) > tonumber(active) then
    change("active", created)
  end
  -- The comments of the latest two days are counted.
  local posted, latest = tonumber(day), tonumber(latest_day or "0")
  if posted > latest then
    if latest_day and posted == latest + 1 then
      change("dayBefore", day_comments)
    elseif day_before then
      redis.call("HDEL", at.topic, "dayBefore")
    end
    change("day", day)
    change("dayComments", "1")
  elseif latest_day and posted == latest then
    change("dayComments", string.format("%d", tonumber(day_comments or "0") + 1))
  elseif latest_day and posted == latest - 1 then
    change("dayBefore", string.format("%d", tonumber(day_before or "0") + 1))
  end
  redis.call("HSET", at.topic, unpack(changed))
  redis.call("HINCRBY", at.stats, "comments", 1)
  redis.call("PUBLISH", at.topic, "c " .. string.format("%d ", number) .. id)
  return number
end
