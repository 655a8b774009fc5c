-- Counts one call against a limit, unless that is used up: at most so many calls
-- in any window of that length. Refused calls do not count.
-- KEYS[1]  LIST  times of the calls let through, latest first, Unix ms
-- ARGV[1]  now, Unix ms
-- ARGV[2]  most calls in a window
-- ARGV[3]  length of the window, ms
-- ARGV[4]  when the key expires, Unix s
-- Returns  0, or after how many ms one more call will be let through
local first = redis.call("LINDEX", KEYS[1], tonumber(ARGV[2]) - 1)
if first and tonumber(first) + tonumber(ARGV[3]) > tonumber(ARGV[1]) then
  return tonumber(first) + tonumber(ARGV[3]) - tonumber(ARGV[1])
end
redis.call("LPUSH", KEYS[1], ARGV[1])
redis.call("LTRIM", KEYS[1], 0, tonumber(ARGV[2]) - 1)
redis.call("EXPIREAT", KEYS[1], ARGV[4])
return 0
