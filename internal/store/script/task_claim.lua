-- Claims a task that is due, or gives it up after too many attempts.
-- KEYS[1]  HASH  the task
-- KEYS[2]  ZSET  due tasks of the partition
-- KEYS[3]  ZSET  tasks given up
-- ARGV[1]  name of the task
-- ARGV[2]  now, Unix ms
-- ARGV[3]  end of the lease, Unix ms
-- ARGV[4]  most attempts without progress
-- Returns  {fencing token, attempts, cursor}, or {} when there is nothing to claim
local due = redis.call("ZSCORE", KEYS[2], ARGV[1])
if not due or tonumber(due) > tonumber(ARGV[2]) then
  return {}
end
if redis.call("EXISTS", KEYS[1]) == 0 then
  redis.call("ZREM", KEYS[2], ARGV[1])
  return {}
end
if tonumber(redis.call("HGET", KEYS[1], "attempts") or "0") >= tonumber(ARGV[4]) then
  redis.call("ZREM", KEYS[2], ARGV[1])
  redis.call("ZADD", KEYS[3], ARGV[2], ARGV[1])
  return {}
end
redis.call("ZREM", KEYS[3], ARGV[1]) -- it may have been given up before it was due anew
redis.call("HINCRBY", KEYS[1], "n", 1)
redis.call("HINCRBY", KEYS[1], "attempts", 1)
redis.call("ZADD", KEYS[2], ARGV[3], ARGV[1])
return redis.call("HMGET", KEYS[1], "n", "attempts", "cursor")
