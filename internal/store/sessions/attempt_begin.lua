-- Counts an attempt to sign in with a name as a failure, unless it must wait.
-- KEYS slowdown STRING  when the failures of the name are forgotten, Unix ms; failures
--                       from addresses that the account knows do not count
-- KEYS attempts HASH    attempts from one address: n failures since a time, and due, the time
--                       from which one is allowed while the name is slowed down
-- ARGV now      time:number    now
-- ARGV most     int:number     maximum number of failures of the address in a window
-- ARGV window   millis:number  length of the window
-- ARGV step     millis:number  time after which one failure of the name is forgotten
-- ARGV slowed   int:number     failures of the name from which it is slowed down
-- ARGV first    millis:number  first wait; it doubles with each further failure
-- ARGV longest  millis:number  longest wait
-- ARGV known    flag    whether the account knows the address
-- ARGV expires  int     when the keys expire, Unix s
-- Returns  0, or the number of ms after which the address may try again
local count, begun, next_due = unpack(redis.call("HMGET", attempts, "n", "since", "due"))
local n, since, due = tonumber(count or "0"), tonumber(begun or now), tonumber(next_due or "0")
if now >= since + window then
  n, since = 0, now
end
if n >= most then
  return since + window - now
end

if not known then
  local forgotten = math.max(tonumber(redis.call("GET", slowdown) or "0"), now)
  local more = math.ceil((forgotten - now) / step) - slowed
  local wait = 0
  if more >= 0 then
    wait = math.min(first * 2 ^ more, longest)
    if now >= due + window then
      due = now + wait
      redis.call("HSET", attempts, "due", string.format("%.0f", due))
      redis.call("EXPIREAT", attempts, expires)
    end
    if due > now then
      return due - now
    end
    redis.call("HSET", attempts, "due", string.format("%.0f", now + wait))
  end
  -- Failures beyond the longest wait do not count, so that it ends soon.
  if wait < longest then
    redis.call("SET", slowdown, string.format("%.0f", forgotten + step))
    redis.call("EXPIREAT", slowdown, expires)
  end
end
redis.call("HSET", attempts, "n", n + 1, "since", string.format("%.0f", since))
redis.call("EXPIREAT", attempts, expires)
return 0
