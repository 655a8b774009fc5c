-- Writes the far side of an edge as its user's side stood at some time, unless a later
-- state of it was written before.
-- KEYS[1]  ZSET  the far side, by time (Unix µs)
-- KEYS[2]  ZSET  who left it, by the time of that (Unix µs)
-- KEYS[3]  HASH or STRING  what tells whether the far end is there
-- ARGV[1]  member of the far side
-- ARGV[2]  since when the edge stands, Unix µs; "" when it was ended
-- ARGV[3]  when edges of its user had changed last, Unix µs
-- ARGV[4]  what the far end is: "user", "blocked" for a user in a block, "topic", which is
--          there as long as it is open, "tag", which is there as long as its hash, or
--          "category", which is there as long as it is not closed
-- ARGV[5]  field of the user that counts the side, "" for none
-- ARGV[6]  now, Unix µs
-- ARGV[7]  how long it is remembered who left, µs
-- ARGV[8]  how long that is kept at least after the last, ms
-- Returns  1, or 0 when the far end is gone and can be reached no more
redis.call("ZREMRANGEBYSCORE", KEYS[2], "-inf", string.format("(%.0f", tonumber(ARGV[6]) - tonumber(ARGV[7])))
local has = tonumber(redis.call("ZSCORE", KEYS[1], ARGV[1]) or "0")
local left = tonumber(redis.call("ZSCORE", KEYS[2], ARGV[1]) or "0")
if ARGV[2] ~= "" then
  local there
  if ARGV[4] == "category" then
    there = redis.call("EXISTS", KEYS[3]) == 0
  elseif ARGV[4] == "tag" then
    there = redis.call("EXISTS", KEYS[3]) == 1
  else
    there = redis.call("HGET", KEYS[3], "state") == (ARGV[4] == "topic" and "OPEN" or "ACTIVE")
  end
  if not there then
    return 0
  end
  local since = tonumber(ARGV[2])
  if since > left and since > has then
    redis.call("ZADD", KEYS[1], ARGV[2], ARGV[1])
  end
else
  local ended = tonumber(ARGV[3]) or 0
  if has <= ended then
    redis.call("ZREM", KEYS[1], ARGV[1])
  end
  if left < ended then
    redis.call("ZADD", KEYS[2], ARGV[3], ARGV[1])
    redis.call("PEXPIRE", KEYS[2], ARGV[8])
  end
end
if ARGV[4] == "blocked" and redis.call("HGET", KEYS[3], "state") == "ACTIVE" then
  -- Whoever reads the sources of the home knew of another block.
  redis.call("HINCRBY", KEYS[3], "homeEpoch", 1)
end
if ARGV[5] ~= "" and redis.call("EXISTS", KEYS[3]) == 1 then
  redis.call("HSET", KEYS[3], ARGV[5], redis.call("ZCARD", KEYS[1]))
end
return 1
