-- Counts one call against a limit of calls in any window of that length. Refused calls do not count.
-- KEYS calls   LIST    times of the allowed calls, latest first, Unix ms
-- ARGV now     time:number  now
-- ARGV most    int:number  maximum number of calls in a window
-- ARGV window  millis:number  length of the window
-- ARGV expires int     when the key expires, Unix s
-- Returns  0, or the number of ms after which another call will be allowed
local first = redis.call("LINDEX", calls, most - 1)
if first and tonumber(first) + window > now then
  return tonumber(first) + window - now
end
redis.call("LPUSH", calls, now)
redis.call("LTRIM", calls, 0, most - 1)
redis.call("EXPIREAT", calls, expires)
return 0
