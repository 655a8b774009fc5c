-- Erases the copies of a subject some time after its case was closed, or puts that off if the case is open.
-- KEYS evidence HASH   the copies
-- KEYS case     HASH   the reports on it
-- KEYS hidden_items ZSET what the partition keeps for a time
-- ARGV about    string the subject: "t", "c" or "u" and its id
-- ARGV now      time   now
-- ARGV before   time   what was kept before is due
-- Returns  1 if they were erased, otherwise 0
local member = "e:" .. about
local at = redis.call("ZSCORE", hidden_items, member)
if not at or tonumber(at) >= tonumber(before) then
  return 0
end
local reports, through, held = unpack(redis.call("HMGET", case, "reports", "through", "held"))
if held or tonumber(reports or "0") > tonumber(through or "0") then
  redis.call("ZADD", hidden_items, now, member)
  return 0
end
redis.call("DEL", evidence)
redis.call("ZREM", hidden_items, member)
return 1
