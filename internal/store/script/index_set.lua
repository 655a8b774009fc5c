-- Sets or removes entries in all orders of one index, each unless a newer change
-- of it was written before.
-- KEYS[1]  HASH    revisions of the entries
-- KEYS[2]  ZSET    entries that left, by the time they did
-- KEYS[3]  STRING  there when the index takes no more entries
-- KEYS[4]  STREAM  what happened in the index; only while it is watched
-- KEYS[5...] ZSETs the orders
-- ARGV[1]  now, Unix ms
-- ARGV[2]  how long a removal is remembered, ms
-- ARGV[3]  when the whole index expires, Unix s; "" never
-- ARGV[4]  about how many events the stream keeps
-- ARGV[5...] for each entry: id, revision, member in the orders, and its score
--          in each order, "" in those that do not hold it; without a score in the
--          first order it is removed
-- Returns  for each entry 1 when this or a newer revision stands, -1 when it is
--          to be set and the index is closed
local old = redis.call("ZRANGEBYSCORE", KEYS[2], "-inf", string.format("(%d", tonumber(ARGV[1]) - tonumber(ARGV[2])), "LIMIT", 0, 100)
if #old > 0 then
  redis.call("HDEL", KEYS[1], unpack(old))
  redis.call("ZREM", KEYS[2], unpack(old))
end
local closed = redis.call("EXISTS", KEYS[3]) == 1
local watched, told = redis.call("EXISTS", KEYS[4]) == 1, false

local function tell(kind, member, orders)
  redis.call("XADD", KEYS[4], "MAXLEN", "~", ARGV[4], "*", "k", kind, "m", member, "o", orders)
  told = true
end

local function remove(member)
  local removed = 0
  for i = 5, #KEYS do
    removed = removed + redis.call("ZREM", KEYS[i], member)
  end
  if watched and removed > 0 then
    tell("R", member, "")
  end
end

local function set(at, member)
  local added, moved = 0, ""
  for i = 5, #KEYS do
    local score = ARGV[at + i - 2]
    if watched then
      local old = redis.call("ZSCORE", KEYS[i], member)
      if (old and tonumber(old)) ~= tonumber(score) then
        moved = moved .. string.format("%d", i - 5)
      end
    end
    if score ~= "" then
      added = added + redis.call("ZADD", KEYS[i], score, member)
    else
      redis.call("ZREM", KEYS[i], member)
    end
  end
  if watched and moved ~= "" then
    -- Every entry has a place in the first order.
    tell(string.sub(moved, 1, 1) == "0" and added > 0 and "A" or "M", member, moved)
  end
end

local results = {}
for at = 5, #ARGV, #KEYS - 1 do
  local id, rev, member = ARGV[at], ARGV[at + 1], ARGV[at + 2]
  local result = 1
  if closed and ARGV[at + 3] ~= "" then
    -- A closed index is empty: whatever came after this revision, the entry is
    -- not here.
    result = -1
  elseif tonumber(redis.call("HGET", KEYS[1], id) or "0") < tonumber(rev) then
    if ARGV[at + 3] == "" then
      redis.call("HSET", KEYS[1], id, rev)
      redis.call("ZADD", KEYS[2], ARGV[1], id)
      remove(member)
    else
      redis.call("HSET", KEYS[1], id, rev)
      redis.call("ZREM", KEYS[2], id)
      set(at, member)
    end
  end
  results[#results + 1] = result
end
if told then
  redis.call("PUBLISH", KEYS[4], "")
end
if ARGV[3] ~= "" then
  for i = 1, #KEYS do
    if i ~= 4 then
      redis.call("EXPIREAT", KEYS[i], ARGV[3])
    end
  end
end
return results
