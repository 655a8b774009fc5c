-- Notes that a comment was edited, voted on or deleted, for those who watch the topic. Only the latest change of each
-- comment is kept, so that many votes on one take the place of one.
-- KEYS changes      ZSET    the latest changed comments of the topic, by position of the change
-- ARGV changed_at   time    now
-- ARGV changes_most int     maximum number of comments in changes
-- ARGV changes_life millis  how long they are kept after the last change
local function comment_changed(topic, id, number, removed)
  local last = redis.call("HGET", internal(topic), "changed")
  if last and redis.call("EXISTS", changes) == 0 then
    redis.call("ZADD", changes, last, "-")
  end
  -- Positions are even, or odd if the comment is removed; they rise whatever the clocks say.
  local at = string.format("%.0f", 2 * math.max(tonumber(changed_at), math.floor(tonumber(last or "0") / 2) + 1)
    + (removed and 1 or 0))
  redis.call("ZADD", changes, at, number .. ":" .. id)
  redis.call("HSET", internal(topic), "changed", at)
  if redis.call("ZCARD", changes) > tonumber(changes_most) + 1 then
    -- The first one may be the mark of those that are no longer kept.
    local first = redis.call("ZPOPMIN", changes, 2)
    redis.call("ZADD", changes, first[4], "-")
  end
  redis.call("PEXPIRE", changes, changes_life)
end
