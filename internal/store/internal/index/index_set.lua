-- Sets or removes entries in all orders of containers, unless a newer change of an entry was already written.
-- KEYS containers[].revisions HASH    revisions of the entries
-- KEYS containers[].removed   ZSET    removed entries by the time of removal
-- KEYS marks[].closed         STRING  of each container: exists once it is closed, or accepts entries as of an epoch only
-- KEYS marks[].events         STREAM  its events; exists only while watched
-- KEYS orders[]               ZSET    the orders of the containers, one container after the other
-- ARGV now                    time    now
-- ARGV memory                 millis  how long a removal is remembered
-- ARGV kept                   int     approximate number of events that a stream keeps
-- ARGV containers[].orders    int     how many orders it has
-- ARGV containers[].entries   int     how many entries are given
-- ARGV containers[].expires   string  when it expires, Unix s; "" never
-- ARGV entries[].id           int     id of an entry of the first container, then those of the others
-- ARGV entries[].rev          int     its revision
-- ARGV entries[].member       string  its member in the orders
-- ARGV entries[].epoch        string  the epoch of the rules by which it is written; "" for 0
-- ARGV entries[].only         string  orders that this revision changed, as digits from 0, if the one before had the
--                                    entry; "" if it may be any
-- ARGV scores[]               string  of each entry, its score in each order of its container, "" in orders that do not
--                                    hold it; an entry without a score in the first order is removed
-- Slots    several
-- Returns  for each entry 1; -1 if it was to be set but the container is closed, -2 if it accepts only entries of a later
--          epoch

-- The usual container has no such mark and is not watched: then one command says so of all.
local usual = redis.call("EXISTS", unpack(marks)) == 0
-- As the first write this lets the script write although Redis is full: see despite_full.
redis.call("ZREM", containers[1].removed, "")
local watched, announced -- the events of a container if it is watched, and whether it has a new one

-- Adds an event. places are the orders in which the entry moved, as digits from 0.
local function announce(kind, member, places)
  redis.call("XADD", watched, "MAXLEN", "~", kept, "*", "k", kind, "m", member, "o", places)
  announced = true
end

-- Removes an entry of container x, whose orders follow number base, and forgets removals that are old enough.
local function remove(x, base, id, member)
  local revisions, removed = containers[x].revisions, containers[x].removed
  local old = redis.call("ZRANGEBYSCORE", removed, "-inf", string.format("(%d", tonumber(now) - tonumber(memory)), "LIMIT", 0, 100)
  if #old > 0 then
    redis.call("HDEL", revisions, unpack(old))
    redis.call("ZREM", removed, unpack(old))
  end
  redis.call("ZADD", removed, now, id)
  local went = 0
  for o = 1, tonumber(containers[x].orders) do
    went = went + redis.call("ZREM", orders[base + o], member)
  end
  if watched and went > 0 then
    announce("R", member, "")
  end
end

-- Sets scores of an entry, which follow number at: all, or only those of some orders. known is whether any order may have
-- it. Returns whether one did not have it.
local function set(width, base, at, member, only, known)
  local added, moved = 0, ""
  for n = 1, only == "" and width or #only do
    local o = only == "" and n or string.byte(only, n) - 47
    local order, score = orders[base + o], scores[at + o]
    if watched then
      local before = redis.call("ZSCORE", order, member)
      if (before and tonumber(before) or nil) ~= tonumber(score) then
        moved = moved .. string.format("%d", o - 1)
      end
    end
    if score ~= "" then
      added = added + redis.call("ZADD", order, score, member)
    elseif known then
      redis.call("ZREM", order, member)
    end
  end
  if watched and moved ~= "" then
    -- Every entry is in the first order.
    announce(string.sub(moved, 1, 1) == "0" and added > 0 and "A" or "M", member, moved)
  end
  return added > 0
end

-- Lets the keys of container x expire, if some may be new.
local function expire(x, base)
  local expires = containers[x].expires
  if expires ~= "" then
    for _, key in ipairs({containers[x].revisions, containers[x].removed, marks[x].closed}) do
      redis.call("EXPIREAT", key, expires)
    end
    for o = 1, tonumber(containers[x].orders) do
      redis.call("EXPIREAT", orders[base + o], expires)
    end
  end
end

-- Writes entry number e of container x, whose scores follow number at, unless it has this or a newer revision.
local function write(x, base, e, at)
  local revisions, id, rev = containers[x].revisions, entries[e].id, tonumber(entries[e].rev)
  local width, member, only = tonumber(containers[x].orders), entries[e].member, entries[e].only
  local stored = redis.call("HINCRBY", revisions, id, 1) - 1 -- in the usual case, this sets the revision
  if stored >= rev then
    redis.call("HINCRBY", revisions, id, -1)
    return
  end
  if stored < rev - 1 then
    redis.call("HSET", revisions, id, entries[e].rev)
    only = ""
  end
  if stored == 0 then
    only = "" -- it is not here, and was not removed
  elseif only == "" then
    redis.call("ZREM", containers[x].removed, id)
  end
  if scores[at + 1] == "" then
    remove(x, base, id, member)
    expire(x, base)
  elseif set(width, base, at, member, only, stored > 0) and containers[x].expires ~= "" and redis.call("TTL", orders[base + 1]) < 0 then
    expire(x, base)
  end
end

local results, base, e, at = {}, 0, 0, 0
for x = 1, #containers do
  local is_closed, least = false, 0
  watched, announced = nil, false
  if not usual then
    local closed = redis.call("GET", marks[x].closed)
    least = tonumber(string.match(closed or "", "^e(%d+)$") or "0")
    is_closed = closed and least == 0
    watched = redis.call("EXISTS", marks[x].events) == 1 and marks[x].events
  end
  for _ = 1, tonumber(containers[x].entries) do
    e = e + 1
    if is_closed and scores[at + 1] ~= "" then
      -- A closed one is empty: whatever followed this revision, the entry is not here.
      results[e] = -1
    elseif least > 0 and scores[at + 1] ~= "" and tonumber(entries[e].epoch ~= "" and entries[e].epoch or "0") < least then
      results[e] = -2
    else
      write(x, base, e, at)
      results[e] = 1
    end
    at = at + tonumber(containers[x].orders)
  end
  if announced then
    redis.call("PUBLISH", watched, "")
  end
  base = base + tonumber(containers[x].orders)
end
return results
