-- Sets or removes entries in all orders of one index, unless a newer change of the entry was already
-- written.
-- KEYS revisions                HASH    revisions of the entries
-- KEYS removed                  ZSET    removed entries by the time of removal
-- KEYS closed                   STRING  exists once the index is closed
-- KEYS division                 STRING  how far the index is divided
-- KEYS events                   STREAM  events of the index; exists only while watched
-- KEYS orders[]                 ZSET    the orders
-- ARGV now                      time    now
-- ARGV memory                   millis  how long a removal is remembered
-- ARGV expires                  string  when the whole index expires, Unix s; "" never
-- ARGV kept                     int     approximate number of events that the stream keeps
-- ARGV entries[].id             int     id of an entry
-- ARGV entries[].rev            int     its revision
-- ARGV entries[].member         string  its member in the orders
-- ARGV entries[].only           string  orders that this revision changed, as digits from 1; "" if it may be any
-- ARGV entries[].scores[orders] string  its score in each order, "" in orders that do not hold it; an entry
--                                       without a score in the first order is removed
-- Returns  for each entry 1 if it has this or a newer revision, -1 if it was
--          to be set but the index is closed; if the index is divided, or
--          being divided, the number of parts: the entry belongs into its part
local close_mark, phase, parts, watched, announced = false, nil, nil, false, false
-- The usual index is neither closed nor divided nor watched: then one command says so.
if redis.call("EXISTS", closed, division, events) > 0 then
  local state
  close_mark, state = unpack(redis.call("MGET", closed, division))
  phase, parts = string.match(state or "", "^(%a+) (%d+)$")
  watched = redis.call("EXISTS", events) == 1
end
local created = false -- whether any key may be new, and has no expiry yet

local function announce(kind, member, places)
  redis.call("XADD", events, "MAXLEN", "~", kept, "*", "k", kind, "m", member, "o", places)
  announced = true
end

-- Removes an entry, and forgets removals that are old enough.
local function remove(id, member)
  local old = redis.call("ZRANGEBYSCORE", removed, "-inf", string.format("(%d", tonumber(now) - tonumber(memory)), "LIMIT", 0, 100)
  if #old > 0 then
    redis.call("HDEL", revisions, unpack(old))
    redis.call("ZREM", removed, unpack(old))
  end
  redis.call("ZADD", removed, now, id)
  created = true
  local went = 0
  for o = 1, #orders do
    went = went + redis.call("ZREM", orders[o], member)
  end
  if watched and went > 0 then
    announce("R", member, "")
  end
end

-- Sets the scores of entry number i: all, or only those of some orders.
local function set(i, member, only)
  local added, moved = 0, ""
  for o = 1, #orders do
    if only == "" or string.find(only, o, 1, true) then
      local score = entries[i].scores[o]
      if watched then
        local before = redis.call("ZSCORE", orders[o], member)
        if (before and tonumber(before) or nil) ~= tonumber(score) then
          moved = moved .. string.format("%d", o - 1)
        end
      end
      if score ~= "" then
        added = added + redis.call("ZADD", orders[o], score, member)
      else
        redis.call("ZREM", orders[o], member)
      end
    end
  end
  created = created or added > 0
  if watched and moved ~= "" then
    -- Every entry is in the first order.
    announce(string.sub(moved, 1, 1) == "0" and added > 0 and "A" or "M", member, moved)
  end
end

local results = {}
for i = 1, #entries do
  local id, rev, member, first = entries[i].id, entries[i].rev, entries[i].member, entries[i].scores[1]
  local result = tonumber(parts or "1")
  if close_mark and first ~= "" then
    -- A closed index is empty: whatever followed this revision, the entry is not here.
    result = -1
  elseif phase == "divided" then
    -- Nothing is here any more.
  else
    local stored, new = tonumber(redis.call("HGET", revisions, id) or "0"), tonumber(rev)
    if stored < new then
      -- As the first write this lets the script write although Redis is full: see despite_full.
      redis.call("ZREM", removed, id)
      created = redis.call("HSET", revisions, id, rev) == 1 or created
      if first == "" then
        remove(id, member)
      else
        set(i, member, stored == new - 1 and entries[i].only or "")
      end
    end
  end
  results[#results + 1] = result
end
if announced then
  redis.call("PUBLISH", events, "")
end
if expires ~= "" and created then
  for _, key in ipairs({revisions, removed, closed}) do
    redis.call("EXPIREAT", key, expires)
  end
  for o = 1, #orders do
    redis.call("EXPIREAT", orders[o], expires)
  end
end
return results
