-- Gives a comment that is stored its place in its topic and parent, counts it, and says so with a word. Returns how many
-- dirty marks are new. at has the time and the keys of its topic, parent (or nil), site counters, authors, comments,
-- siblings, and of the votes on the comments of the topic and on the replies to the parent; was is the state of the topic,
-- which it changes, count its comments, number the comment's number, day that of its posting, and voted whether it already
-- has votes, as only an imported one may.
-- INCLUDE changed
local function post_comment(at, was, count, comment, id, number, author, created, day, word, voted)
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

  local rev, active, latest_day, day_comments, day_before = activity_of(was)
  rev = string.format("%d", tonumber(rev or "0") + 1)
  redis.call("HSET", internal(at.topic), "floor", number, "rev", rev)
  local fresh = {"comments", string.format("%d", tonumber(count or "0") + 1)}
  local function change(field, value)
    fresh[#fresh + 1], fresh[#fresh + 2] = field, value
    return value
  end
  -- An import may add older comments: the time of last activity never decreases.
  if tonumber(created) > tonumber(active) then
    active = change("active", created)
  end
  -- The comments of the latest two days are counted.
  local posted, latest = tonumber(day), tonumber(latest_day or "0")
  if posted > latest then
    if latest_day and posted == latest + 1 then
      day_before = change("dayBefore", day_comments)
    elseif day_before then
      redis.call("HDEL", at.topic, "dayBefore")
      day_before = false
    end
    latest_day, day_comments = change("day", day), change("dayComments", "1")
  elseif latest_day and posted == latest then
    day_comments = change("dayComments", string.format("%d", tonumber(day_comments or "0") + 1))
  elseif latest_day and posted == latest - 1 then
    day_before = change("dayBefore", string.format("%d", tonumber(day_before or "0") + 1))
  end
  redis.call("HSET", at.topic, unpack(fresh))
  set_activity(was, rev, active, latest_day, day_comments, day_before)
  if is_public(was) then
    redis.call("HINCRBY", at.stats, "comments", 1)
  end
  return changed(at.now, at.topic, "REPLIES:" .. string.format("%d:", number) .. id, comment, word, at.parent, "ANSWERS")
end
