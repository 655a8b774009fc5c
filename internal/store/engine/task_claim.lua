-- Claims a task that is due, or gives it up after too many attempts.
-- KEYS task  HASH    the task
-- KEYS due   ZSET    due tasks of the partition
-- KEYS dead  ZSET    tasks given up
-- ARGV name  string  name of the task
-- ARGV now   time    now
-- ARGV lease time    end of the lease
-- ARGV most  int     maximum number of attempts without progress
-- RETURN token    string  fencing token; "" if there was nothing to claim
-- RETURN attempts int     attempts without progress, including this one
-- RETURN cursor   string  progress of the task
local at = redis.call("ZSCORE", due, name)
if not at or tonumber(at) > tonumber(now) then
  return {}
end
if redis.call("EXISTS", task) == 0 then
  redis.call("ZREM", due, name)
  return {}
end
if tonumber(redis.call("HGET", task, "attempts") or "0") >= tonumber(most) then
  redis.call("ZREM", due, name)
  redis.call("ZADD", dead, now, name)
  return {}
end
redis.call("ZREM", dead, name) -- it may have been given up and then armed again
redis.call("HINCRBY", task, "n", 1)
redis.call("HINCRBY", task, "attempts", 1)
redis.call("ZADD", due, lease, name)
local token, attempts, cursor = unpack(redis.call("HMGET", task, "n", "attempts", "cursor"))
return {token = token, attempts = attempts, cursor = cursor}
