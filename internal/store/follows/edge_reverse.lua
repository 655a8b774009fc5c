-- Writes the reverse side of an edge as its user's side was at some time, unless a later state of the edge was
-- already written. With the end of following, the notification of it is withheld.
-- INCLUDE note_reads withhold
-- KEYS reverse     ZSET    the reverse side, by time (Unix µs)
-- KEYS left_by ZSET    members removed from it, by the time of removal (Unix µs)
-- KEYS end_key HASH|STRING  key that shows whether the target exists
-- KEYS unread? ZSET    numbers of the followed user's notifications that were not marked as read
-- KEYS notes?  HASH    their contents by number, and their numbers by subject
-- ARGV member  string  member of the reverse side
-- ARGV since   string  time at which the edge was set, Unix µs; "" if it was ended
-- ARGV changed_at string  time of its user's last edge change, Unix µs
-- ARGV sort    string  kind of target: "user", "blocked" for a user in a block, "topic", which exists
--                      until it is deleted, "tag", which exists while its hash does, or "category",
--                      which exists until it is closed
-- ARGV counter string  field of the user that counts the side, "" for none
-- ARGV now     int     now, Unix µs
-- ARGV memory  micros  how long removals are remembered
-- ARGV keep    millis  minimum life of that memory after the last removal
-- Returns  1, and the revision more if the target is a topic that is not listed; 0 if the target no longer exists
redis.call("ZREMRANGEBYSCORE", left_by, "-inf", string.format("(%.0f", tonumber(now) - tonumber(memory)))
local has = tonumber(redis.call("ZSCORE", reverse, member) or "0")
local left = tonumber(redis.call("ZSCORE", left_by, member) or "0")
local result = 1
if since ~= "" then
  local there
  if sort == "category" then
    there = redis.call("EXISTS", end_key) == 0
  elseif sort == "tag" then
    there = redis.call("EXISTS", end_key) == 1
  else
    local state = redis.call("HGET", end_key, "state")
    if sort == "topic" and state == "HIDDEN" then
      result = 1 + tonumber(redis.call("HGET", internal(end_key), "rev"))
    end
    there = state and (sort == "topic" and state ~= "DELETED" or state == "ACTIVE")
  end
  if not there then
    return 0
  end
  local time = tonumber(since)
  if time > left and time > has then
    redis.call("ZADD", reverse, since, member)
  end
else
  local ended = tonumber(changed_at) or 0
  if has <= ended then
    redis.call("ZREM", reverse, member)
    local seq = notes and redis.call("HGET", notes, "f" .. member)
    if seq then
      withhold(end_key, unread, notes, {[seq] = {why = 1, comment = 0}}, string.format("%.0f", math.floor(tonumber(now) / 1000)))
    end
  end
  if left < ended then
    redis.call("ZADD", left_by, changed_at, member)
    redis.call("PEXPIRE", left_by, keep)
  end
end
if sort == "blocked" and redis.call("HGET", end_key, "state") == "ACTIVE" then
  -- Data that were read of the home's sources are based on another block.
  redis.call("HINCRBY", internal(end_key), "homeEpoch", 1)
end
if counter ~= "" and redis.call("EXISTS", end_key) == 1 then
  redis.call("HSET", internal(end_key), counter, redis.call("ZCARD", reverse))
end
return result
