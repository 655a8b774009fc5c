-- Counts one call against a limit, unless that is used up: at most so many calls
-- in any window of that length. Refused calls do not count.
-- KEYS calls   LIST    times of the calls let through, latest first, Unix ms
-- ARGV now     time:number  now
-- ARGV most    int:number  most calls in a window
-- ARGV window  millis:number  length of the window
-- ARGV expires int     when the key expires, Unix s
-- Returns  0, or after how many ms one more call will be let through
local first = redis.call("LINDEX", calls, most - 1)
if first and tonumber(first) + window > now then
  return tonumber(first) + window - now
end
redis.call("LPUSH", calls, now)
redis.call("LTRIM", calls, 0, most - 1)
redis.call("EXPIREAT", calls, expires)
return 0
