-- Takes back what attempt_begin counted, because the attempt did not fail.
-- KEYS[1]  STRING  when the failures of the name are forgotten, Unix ms
-- KEYS[2]  HASH    attempts from one address
-- ARGV[1]  after how long one failure of the name is forgotten, ms
-- ARGV[2]  "1" if the account knows the address, else "0"
-- ARGV[3]  "1" if the password was right, so that all failures of the address are
--          forgotten; "0" if it was not looked at
-- Returns  1
local slowdown, attempts = KEYS[1], KEYS[2]
local step, known, right = tonumber(ARGV[1]), ARGV[2] == "1", ARGV[3] == "1"
if not known and redis.call("EXISTS", slowdown) == 1 then
  redis.call("INCRBY", slowdown, -step)
end
if right then
  redis.call("DEL", attempts)
elseif tonumber(redis.call("HGET", attempts, "n") or "0") > 0 then
  redis.call("HINCRBY", attempts, "n", -1)
end
return 1
