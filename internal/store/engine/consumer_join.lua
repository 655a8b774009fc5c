-- Has consumers follow the changes in a slot, or notes that they are served. Those that nobody has served for long are
-- removed, with what is kept for them.
-- INCLUDE despite_full row trim_feed
-- KEYS consumers HASH   who follows the slot
-- KEYS feed      ZSET   its changes
-- KEYS sequences[] STRING the last numbers of objects of the slot
-- ARGV now       time   now
-- ARGV since     time   consumers that were last served before are removed
-- ARGV unused    string the last number if ids are reserved and none is used
-- ARGV served[]  string consumers to serve: letters of objects, a colon, and a name
-- Returns  1
if redis.call("EXISTS", consumers) == 1 then -- who cannot note that it serves one might find it removed
  despite_full(feed)
end
local walk = "0" -- over nothing
for _, last in ipairs(redis.call("MGET", unpack(sequences))) do
  walk = last and last ~= unused and "1" or walk
end
for i = 1, #served do
  local is = read_row(ROWS.consumer, redis.call("HGET", consumers, served[i]))
  if not is then
    redis.call("DEL", feed .. ":" .. served[i])
    local last = redis.call("HGET", consumers, "seq") or "0"
    is = {position = last, token = now, lease = "0", walk = walk, retry = "0", aside = "0"}
  end
  is.seen = now
  redis.call("HSET", consumers, served[i], row_text(ROWS.consumer, is))
end
local all = redis.call("HGETALL", consumers)
for i = 1, #all, 2 do
  if string.find(all[i], ":", 1, true) then
    local is = read_row(ROWS.consumer, all[i + 1])
    if not is or tonumber(is.seen) < tonumber(since) then
      redis.call("HDEL", consumers, all[i])
      redis.call("DEL", feed .. ":" .. all[i])
    end
  end
end
local kinds = trim_feed(consumers, feed)
if kinds ~= "" then
  redis.call("HSET", consumers, "kinds", kinds)
end
return 1
