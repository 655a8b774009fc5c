-- Posts a comment: the comment, its place in its topic and under its parent,
-- the counts, and the topic's time of last activity.
-- KEYS[1]  STRING  sequence of the topic's partition
-- KEYS[2]  HASH    the topic
-- KEYS[3]  ZSET    all comments of the topic
-- KEYS[4]  ZSET    the siblings: replies of the topic, or of the parent
-- KEYS[5]  ZSET    dirty marks of the partition
-- KEYS[6]  HASH    site counters of the partition
-- KEYS[7]  STRING  idempotency record
-- KEYS[8]  HASH    votes on the topic's comments
-- KEYS[9]  ZSET    authors and floors of the topic's live comments
-- KEYS[10] ZSET    due tasks of the partition
-- KEYS[11] HASH    the parent; only with a parent
-- KEYS[12] HASH    votes on the parent's replies; only with a parent
-- ARGV[1]  prefix of comment keys of the partition
-- ARGV[2]  number of the partition
-- ARGV[3]  number of partitions
-- ARGV[4]  largest id
-- ARGV[5]  now, Unix ms
-- ARGV[6]  hash of the input, or "" without idempotency key
-- ARGV[7]  life of an idempotency record, ms
-- ARGV[8]  when the record expires, Unix s; "" never, for imports
-- ARGV[9]  time of posting, Unix ms
-- ARGV[10] author id
-- ARGV[11] topic id
-- ARGV[12] parent id, 0 for none
-- ARGV[13] "1" when the viewer is a moderator
-- ARGV[14] day of posting, in days since 1970-01-01
-- ARGV[15] prefix of tasks of the partition; "" when nobody is to be told, as of imports
-- ARGV[16] end of the caller's lease of the task that tells, Unix ms
-- ARGV[17] "1" when others are mentioned
-- ARGV[18] prefix of users of the partition, whose blocks count; "" for imports, where none do
-- ARGV[19...] further field, value pairs of the comment
-- Returns  {new, id, state of the topic..., n, author of the parent}: new is 0 when the key
--          was used before with this input; the state is what the topic's indexes need; n is
--          the token of the task that tells whom it concerns, "0" if there is none
-- Errors   NOT_FOUND topicId or parentId, LOCKED when the topic is deleted,
--          IDEMPOTENCY_CONFLICT, BLOCKED topicId when the topic's author has blocked the viewer,
--          who is no moderator, EXHAUSTED
local function topic(new, id)
  local t = redis.call("HMGET", KEYS[2], "rev", "state", "created", "active", "category", "left", "author",
    "up", "down", "tags", "leftTags", "day", "dayComments", "dayBefore", "fan")
  table.insert(t, 1, id)
  table.insert(t, 1, new)
  return t
end
if ARGV[6] ~= "" then
  local record = redis.call("GET", KEYS[7])
  if record then
    local at, input, id = string.match(record, "^(%d+) (%S+) (%d+)$")
    if tonumber(at) + tonumber(ARGV[7]) > tonumber(ARGV[5]) then
      if input ~= ARGV[6] then
        return redis.error_reply("IDEMPOTENCY_CONFLICT idempotencyKey")
      end
      if ARGV[8] ~= "" then
        redis.call("EXPIREAT", KEYS[7], ARGV[8])
      end
      return topic(0, tonumber(id))
    end
  end
end
local t = redis.call("HMGET", KEYS[2], "state", "author", "active", "floor", "day", "dayComments", "dayBefore")
if not t[1] or (t[1] == "DELETED" and ARGV[10] ~= t[2] and ARGV[13] ~= "1") then
  return redis.error_reply("NOT_FOUND topicId")
end
if t[1] ~= "OPEN" then
  return redis.error_reply("LOCKED topicId")
end
if ARGV[18] ~= "" and ARGV[13] ~= "1" and redis.call("ZSCORE", ARGV[18] .. t[2] .. ":blocked", ARGV[10]) then
  return redis.error_reply("BLOCKED topicId")
end
local depth, answered = 0, "0"
if ARGV[12] ~= "0" then
  local parent = redis.call("HMGET", KEYS[11], "topic", "depth", "author")
  if parent[1] ~= ARGV[11] then
    return redis.error_reply("NOT_FOUND parentId")
  end
  depth, answered = tonumber(parent[2]) + 1, parent[3]
end
local seq = tonumber(redis.call("GET", KEYS[1]) or "0") + 1
local id = seq * tonumber(ARGV[3]) + tonumber(ARGV[2])
local key = ARGV[1] .. string.format("%d", id)
if id > tonumber(ARGV[4]) or redis.call("EXISTS", key) == 1 then
  return redis.error_reply("EXHAUSTED")
end

redis.call("SET", KEYS[1], string.format("%d", seq))
local floor = tonumber(t[4]) + 1
redis.call("HSET", key, "topic", ARGV[11], "author", ARGV[10], "parent", ARGV[12], "depth", depth,
  "floor", floor, "created", ARGV[9], "replies", "0", "rev", "1", unpack(ARGV, 19))
redis.call("ZADD", KEYS[3], floor, string.format("%d", id))
redis.call("ZADD", KEYS[4], floor, string.format("%d", id))
redis.call("ZADD", KEYS[9], 0, string.format("%08x%08x", tonumber(ARGV[10]), floor))
if ARGV[12] ~= "0" then
  redis.call("HINCRBY", KEYS[11], "replies", 1)
end
redis.call("HSET", KEYS[2], "floor", floor)
-- An import may bring comments of the past: activity never goes back.
if tonumber(ARGV[9]) > tonumber(t[3]) then
  redis.call("HSET", KEYS[2], "active", ARGV[9])
end
-- Imported comments have votes already.
local votes = redis.call("HMGET", key, "up", "down")
if votes[1] or votes[2] then
  for _, tally in ipairs({KEYS[8], KEYS[12]}) do
    redis.call("HSET", tally, string.format("%d", id), (votes[1] or "0") .. " " .. (votes[2] or "0"))
  end
end
-- The comments of the latest two days are counted.
local day, latest = tonumber(ARGV[14]), tonumber(t[5] or "0")
if day > latest then
  if t[5] and day == latest + 1 then
    redis.call("HSET", KEYS[2], "dayBefore", t[6])
  elseif t[7] then
    redis.call("HDEL", KEYS[2], "dayBefore")
  end
  redis.call("HSET", KEYS[2], "day", ARGV[14], "dayComments", "1")
elseif t[5] and day == latest then
  redis.call("HINCRBY", KEYS[2], "dayComments", 1)
elseif t[5] and day == latest - 1 then
  redis.call("HINCRBY", KEYS[2], "dayBefore", 1)
end
redis.call("HINCRBY", KEYS[2], "comments", 1)
redis.call("HINCRBY", KEYS[2], "rev", 1)
redis.call("HINCRBY", KEYS[6], "comments", 1)
redis.call("PUBLISH", KEYS[2], "c " .. string.format("%d %d", floor, id))
redis.call("ZADD", KEYS[5], "NX", ARGV[5], "t:" .. ARGV[11], ARGV[5], "c:" .. string.format("%d", id))
if ARGV[6] ~= "" then
  redis.call("SET", KEYS[7], ARGV[5] .. " " .. ARGV[6] .. " " .. string.format("%d", id))
  if ARGV[8] ~= "" then
    redis.call("EXPIREAT", KEYS[7], ARGV[8])
  end
end
local n = "0"
if ARGV[15] ~= "" and (ARGV[17] == "1" or (t[2] ~= "0" and t[2] ~= ARGV[10]) or (answered ~= "0" and answered ~= ARGV[10])) then
  local task = "n:c" .. string.format("%d", id)
  n = "1000"
  redis.call("HSET", key, "tell", "all", "armed", "1")
  redis.call("HSET", ARGV[15] .. task, "n", n, "attempts", "1", "cursor", "")
  redis.call("ZADD", KEYS[10], ARGV[16], task)
end
local reply = topic(1, id)
reply[18], reply[19] = n, answered
return reply
