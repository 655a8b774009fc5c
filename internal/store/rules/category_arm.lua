-- Arms the task that gives the topics of a category its audience, from the first one on, whoever runs it already.
-- Its tokens begin with the time, so that none is used twice.
-- KEYS task HASH   the task
-- KEYS due  ZSET   due tasks of the partition
-- ARGV name string name of the task
-- ARGV now  time   now
-- Returns  1
local token = string.format("%.0f", math.max(1000 * tonumber(now), tonumber(redis.call("HGET", task, "n") or "0") + 1))
redis.call("HSET", task, "n", token, "attempts", "0", "cursor", "")
redis.call("ZADD", due, now, name)
return 1
