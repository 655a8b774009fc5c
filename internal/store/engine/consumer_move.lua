-- Notes how far a consumer is in a slot, and removes what all have handled.
-- INCLUDE despite_full row trim_feed
-- KEYS consumers HASH   who follows the slot
-- KEYS feed      ZSET   its changes
-- KEYS aside     HASH   what the consumer could not handle
-- ARGV consumer  string the consumer
-- ARGV token     string fencing token of the holder
-- ARGV position  int    number of the last change that it has handled
-- ARGV walk      int    number from which it walks on; 0 if the walk is done
-- ARGV retry     time   when it tries again what is set aside; 0 if nothing is
-- ARGV lease     time   end of the lease
-- ARGV rows[]    pair   objects, and what is set aside of them; "" for nothing
-- Returns  1, or 0 if the slot is no longer the holder's
local is = read_row(ROWS.consumer, redis.call("HGET", consumers, consumer))
if not is or is.token ~= token then
  return 0
end
despite_full(feed)
for i = 1, #rows do
  if rows[i].value == "" then
    redis.call("HDEL", aside, rows[i].name)
  else
    redis.call("HSET", aside, rows[i].name, rows[i].value)
  end
end
local from = is.position
is.position, is.walk, is.retry, is.lease, is.aside = position, walk, retry, lease, redis.call("HLEN", aside)
redis.call("HSET", consumers, consumer, row_text(ROWS.consumer, is))
if position ~= from then
  trim_feed(consumers, feed)
end
return 1
