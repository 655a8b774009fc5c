-- Posts a topic: the topic, its author's profile and count, the site's counts.
-- KEYS[1]  STRING  sequence of the author's partition
-- KEYS[2]  HASH    the author; the ghost has none
-- KEYS[3]  ZSET    the author's profile
-- KEYS[4]  ZSET    dirty marks of the partition
-- KEYS[5]  HASH    site counters of the partition
-- KEYS[6]  STRING  idempotency record
-- KEYS[7]  ZSET    the author's votes on articles
-- KEYS[8]  STREAM  what happened in the profile; only while it is watched
-- KEYS[9]  ZSET    due tasks of the partition
-- ARGV[1]  prefix of topic keys of the partition
-- ARGV[2]  number of the partition
-- ARGV[3]  number of partitions
-- ARGV[4]  largest id
-- ARGV[5]  now, Unix ms
-- ARGV[6]  hash of the input, or "" without idempotency key
-- ARGV[7]  life of an idempotency record, ms
-- ARGV[8]  when the record expires, Unix s; "" never, for imports
-- ARGV[9]  time of posting, Unix ms
-- ARGV[10] author id, 0 for the ghost
-- ARGV[11] category id, 0 for none
-- ARGV[12] state; DELETED when it was deleted before it was imported
-- ARGV[13] when the author's own vote expires, Unix s; "" when it does not count
-- ARGV[14] how many votes the author's log keeps
-- ARGV[15] about how many events the stream keeps
-- ARGV[16] prefix of tasks of the partition; "" when nobody is to be told
-- ARGV[17] end of the caller's lease of the task that tells who is mentioned, Unix ms
-- ARGV[18...] further field, value pairs of the topic
-- Returns  {1, id, n} or {0, id, 0} when the key was used before with this input: n is the
--          task's fencing token, 0 if there is none
-- Errors   UNAUTHENTICATED when the author is no active user,
--          IDEMPOTENCY_CONFLICT when the key was used with other input,
--          EXHAUSTED when the partition has no more ids
if ARGV[6] ~= "" then
  local record = redis.call("GET", KEYS[6])
  if record then
    local at, input, id = string.match(record, "^(%d+) (%S+) (%d+)$")
    -- A topic that was taken back with its category does not count as posted.
    local rejected = redis.call("HEXISTS", ARGV[1] .. id, "rejected") == 1
    if not rejected and tonumber(at) + tonumber(ARGV[7]) > tonumber(ARGV[5]) then
      if input ~= ARGV[6] then
        return redis.error_reply("IDEMPOTENCY_CONFLICT idempotencyKey")
      end
      if ARGV[8] ~= "" then
        redis.call("EXPIREAT", KEYS[6], ARGV[8])
      end
      return {0, tonumber(id), 0}
    end
  end
end
if ARGV[10] ~= "0" and redis.call("HGET", KEYS[2], "state") ~= "ACTIVE" then
  return redis.error_reply("UNAUTHENTICATED")
end
local seq = tonumber(redis.call("GET", KEYS[1]) or "0") + 1
local id = seq * tonumber(ARGV[3]) + tonumber(ARGV[2])
local key = ARGV[1] .. string.format("%d", id)
if id > tonumber(ARGV[4]) or redis.call("EXISTS", key) == 1 then
  return redis.error_reply("EXHAUSTED")
end

redis.call("SET", KEYS[1], string.format("%d", seq))
redis.call("HSET", key, "state", ARGV[12], "author", ARGV[10], "category", ARGV[11],
  "created", ARGV[9], "active", ARGV[9], "comments", "0", "floor", "0", "rev", "1",
  unpack(ARGV, 18))
if ARGV[13] ~= "" then
  redis.call("ZADD", key .. ":up", ARGV[10], ARGV[10])
  redis.call("EXPIREAT", key .. ":up", ARGV[13])
  redis.call("HSET", key, "voted", ARGV[5])
  redis.call("HINCRBY", key, "up", 1)
  redis.call("ZADD", KEYS[7], string.format("%.0f", 4 * tonumber(ARGV[5]) + 1), string.format("%d", id))
  redis.call("ZREMRANGEBYRANK", KEYS[7], 0, -1 - tonumber(ARGV[14]))
end
if ARGV[12] == "OPEN" then
  -- It has to come to homes yet.
  redis.call("HSET", key, "fan", "1")
  redis.call("HINCRBY", KEYS[5], "topics", 1)
  if ARGV[10] ~= "0" then
    local member = string.format("%011x%08x", tonumber(ARGV[9]), id)
    redis.call("ZADD", KEYS[3], ARGV[9], member)
    if redis.call("EXISTS", KEYS[8]) == 1 then
      redis.call("XADD", KEYS[8], "MAXLEN", "~", ARGV[15], "*", "k", "A", "m", member, "o", "")
      redis.call("PUBLISH", KEYS[8], "")
    end
    redis.call("HSET", KEYS[2], "topics", redis.call("ZCARD", KEYS[3]))
  end
end
redis.call("ZADD", KEYS[4], "NX", ARGV[5], "t:" .. string.format("%d", id))
if ARGV[6] ~= "" then
  redis.call("SET", KEYS[6], ARGV[5] .. " " .. ARGV[6] .. " " .. string.format("%d", id))
  if ARGV[8] ~= "" then
    redis.call("EXPIREAT", KEYS[6], ARGV[8])
  end
end
if ARGV[16] == "" then
  return {1, id, 0}
end
local task = "n:t" .. string.format("%d", id)
redis.call("HSET", key, "tell", "all", "armed", "1")
redis.call("HSET", ARGV[16] .. task, "n", "1000", "attempts", "1", "cursor", "")
redis.call("ZADD", KEYS[9], ARGV[17], task)
return {1, id, 1000}
