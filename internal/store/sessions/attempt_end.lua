-- Undoes what attempt_begin counted, because the attempt did not fail.
-- KEYS slowdown STRING         when the failures of the name are forgotten, Unix ms
-- KEYS attempts HASH           attempts from one address
-- ARGV step     millis:number  time after which one failure of the name is forgotten
-- ARGV known    flag           whether the account knows the address
-- ARGV right    flag           whether the password was correct, so that all failures of the
--                              address are forgotten; otherwise it was not checked
-- Returns  1
if not known and redis.call("EXISTS", slowdown) == 1 then
  redis.call("INCRBY", slowdown, -step)
end
if right then
  redis.call("DEL", attempts)
elseif tonumber(redis.call("HGET", attempts, "n") or "0") > 0 then
  redis.call("HINCRBY", attempts, "n", -1)
end
return 1
