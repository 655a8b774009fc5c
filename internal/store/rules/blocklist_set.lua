-- Adds words or domains to a list of what nobody may post, removes others, and records it. What is to be added is not
-- removed.
-- INCLUDE creation act revert outdated_act section_act
-- KEYS list      ZSET    the list: entries by the time when they were added
-- KEYS rules     HASH    the rules of the site, whose field blocklist counts changes
-- ARGV most      int:number maximum number of entries
-- ARGV kind      string  what the list has: words or domains
-- ARGV remove[]  string  entries to remove
-- ARGV add[]     string  entries to add
-- RETURN recorded string id of the act; "0" if nothing changed
-- Errors   TOO_LONG_BLOCKLIST if there would be more entries, CHANGED
local wanted, gone, fresh = {}, {}, {}
for i = 1, #add do
  if not wanted[add[i]] and not redis.call("ZSCORE", list, add[i]) then
    fresh[#fresh + 1] = add[i]
  end
  wanted[add[i]] = true
end
for i = 1, #remove do
  if not wanted[remove[i]] and redis.call("ZSCORE", list, remove[i]) then
    gone[#gone + 1] = remove[i]
  end
  wanted[remove[i]] = true
end
local outdated = outdated_act()
if outdated or reverted_act() and #gone + #fresh < #add + #remove then
  return outdated or redis.error_reply("CHANGED actId")
end
if #gone + #fresh == 0 then
  return {recorded = "0"}
end
if redis.call("ZCARD", list) - #gone + #fresh > most then
  return redis.error_reply("TOO_LONG_BLOCKLIST add")
end
local act, key = new_change()
for i = 1, #gone do
  redis.call("ZREM", list, gone[i])
end
for i = 1, #fresh do
  redis.call("ZADD", list, act_at, fresh[i])
end
redis.call("HINCRBY", rules, "blocklist", 1)
local function lines(entries)
  return #entries > 0 and table.concat(entries, "\n") or nil
end
change(kind, lines(gone), lines(fresh))
return {recorded = record_change(act, key, "UPDATE_BLOCKLIST", "s")}
