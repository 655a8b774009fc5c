-- Makes an object due that a consumer has set aside, under a new token.
-- INCLUDE despite_full row
-- KEYS consumers HASH   who follows the slot
-- KEYS feed      ZSET   its changes
-- KEYS aside     HASH   what the consumer could not handle
-- ARGV consumer  string the consumer
-- ARGV now       time   now
-- ARGV object    string its name
-- Returns  1, or 0 if it is not set aside
local is = read_row(ROWS.consumer, redis.call("HGET", consumers, consumer))
local left = read_row(ROWS.aside, redis.call("HGET", aside, object))
if not is or not left then
  return 0
end
despite_full(feed)
left.due, left.attempts = now, "0"
redis.call("HSET", aside, object, row_text(ROWS.aside, left))
is.token, is.retry, is.lease = string.format("%.0f", tonumber(is.token) + 1), now, "0"
redis.call("HSET", consumers, consumer, row_text(ROWS.consumer, is))
return 1
