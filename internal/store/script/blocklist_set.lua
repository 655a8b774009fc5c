-- Adds words or domains to a list of what nobody may post, and removes others.
-- KEYS list      ZSET    the list: entries by the time when they were added
-- KEYS rules     HASH    the rules of the site, whose field blocklist counts changes
-- ARGV now       time    now
-- ARGV most      int:number maximum number of entries
-- ARGV remove[]  string  entries to remove
-- ARGV add[]     string  entries to add
-- Returns  the number of entries that were added or removed
-- Errors   TOO_LONG_BLOCKLIST if there would be more entries
local size = redis.call("ZCARD", list)
local gone, known = {}, {}
for i = 1, #remove do
  if not gone[remove[i]] and redis.call("ZSCORE", list, remove[i]) then
    gone[remove[i]], size = true, size - 1
  end
end
for i = 1, #add do
  if not known[add[i]] and (gone[add[i]] or not redis.call("ZSCORE", list, add[i])) then
    known[add[i]], size = true, size + 1
  end
end
if size > most then
  return redis.error_reply("TOO_LONG_BLOCKLIST add")
end
local changed = 0
for i = 1, #remove do
  changed = changed + redis.call("ZREM", list, remove[i])
end
for i = 1, #add do
  changed = changed + redis.call("ZADD", list, "NX", now, add[i])
end
if changed > 0 then
  redis.call("HINCRBY", rules, "blocklist", 1)
end
return changed
