-- Writes the far side of an edge as its user's side stood at some time, unless a later
-- state of it was written before.
-- KEYS far     ZSET    the far side, by time (Unix µs)
-- KEYS left_by ZSET    who left it, by the time of that (Unix µs)
-- KEYS end_key HASH|STRING  what says whether the far end is there
-- ARGV member  string  member of the far side
-- ARGV since   string  since when the edge stands, Unix µs; "" when it was ended
-- ARGV changed string  when edges of its user had changed last, Unix µs
-- ARGV sort    string  what the far end is: "user", "blocked" for a user in a block, "topic", which is
--                      there as long as it is open, "tag", which is there as long as its hash, or
--                      "category", which is there as long as it is not closed
-- ARGV counter string  field of the user that counts the side, "" for none
-- ARGV now     int     now, Unix µs
-- ARGV memory  micros  how long it is remembered who left
-- ARGV keep    millis  how long that is kept at least after the last
-- Returns  1, or 0 when the far end is gone and can be reached no more
redis.call("ZREMRANGEBYSCORE", left_by, "-inf", string.format("(%.0f", tonumber(now) - tonumber(memory)))
local has = tonumber(redis.call("ZSCORE", far, member) or "0")
local left = tonumber(redis.call("ZSCORE", left_by, member) or "0")
if since ~= "" then
  local there
  if sort == "category" then
    there = redis.call("EXISTS", end_key) == 0
  elseif sort == "tag" then
    there = redis.call("EXISTS", end_key) == 1
  else
    there = redis.call("HGET", end_key, "state") == (sort == "topic" and "OPEN" or "ACTIVE")
  end
  if not there then
    return 0
  end
  local time = tonumber(since)
  if time > left and time > has then
    redis.call("ZADD", far, since, member)
  end
else
  local ended = tonumber(changed) or 0
  if has <= ended then
    redis.call("ZREM", far, member)
  end
  if left < ended then
    redis.call("ZADD", left_by, changed, member)
    redis.call("PEXPIRE", left_by, keep)
  end
end
if sort == "blocked" and redis.call("HGET", end_key, "state") == "ACTIVE" then
  -- Whoever reads the sources of the home knew of another block.
  redis.call("HINCRBY", end_key, "homeEpoch", 1)
end
if counter ~= "" and redis.call("EXISTS", end_key) == 1 then
  redis.call("HSET", end_key, counter, redis.call("ZCARD", far))
end
return 1
