-- Claims a slot for a consumer, unless a process holds it.
-- INCLUDE despite_full row
-- KEYS consumers HASH    who follows the slot
-- KEYS feed      ZSET    its changes
-- ARGV consumer  string  the consumer
-- ARGV now       time    now
-- ARGV lease     time    end of the lease
-- RETURN token    string fencing token; "" if there was nothing to claim
-- RETURN position int    number of the last change that it has handled
-- RETURN walk     int    number from which it walks on; 0 if the walk is done
-- RETURN aside    int    objects that are set aside
-- RETURN seq      int    number of the last change
local is = read_row(ROWS.consumer, redis.call("HGET", consumers, consumer))
if not is or tonumber(is.lease) > tonumber(now) then
  return {}
end
despite_full(feed)
-- A fail-over may lose a claim. The time makes the next token another one.
is.token = string.format("%.0f", math.max(tonumber(is.token) + 1, tonumber(now)))
is.lease = lease
redis.call("HSET", consumers, consumer, row_text(ROWS.consumer, is))
local seq = redis.call("HGET", consumers, "seq") or "0"
return {token = is.token, position = is.position, walk = is.walk, aside = is.aside, seq = seq}
