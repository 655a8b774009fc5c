-- Counts an attempt to sign in with a name as a failure, unless it has to wait.
-- KEYS[1]  STRING  when the failures of the name are forgotten, Unix ms; failures
--                  from addresses that the account knows are not among them
-- KEYS[2]  HASH    attempts from one address: n failures since, and due, the time
--                  from which on one is let through while the name is slowed down
-- ARGV[1]  now, Unix ms
-- ARGV[2]  most failures of the address in a window
-- ARGV[3]  length of the window, ms
-- ARGV[4]  after how long one failure of the name is forgotten, ms
-- ARGV[5]  failures of the name from which on it is slowed down
-- ARGV[6]  first wait, ms; it doubles with each failure more
-- ARGV[7]  longest wait, ms
-- ARGV[8]  "1" if the account knows the address, else "0"
-- ARGV[9]  when the keys expire, Unix s
-- Returns  0, or after how many ms the address may try again
local slowdown, attempts = KEYS[1], KEYS[2]
local now, most, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local step, slowed = tonumber(ARGV[4]), tonumber(ARGV[5])
local first, longest = tonumber(ARGV[6]), tonumber(ARGV[7])
local known, expires = ARGV[8] == "1", ARGV[9]
local a = redis.call("HMGET", attempts, "n", "since", "due")
local n, since, due = tonumber(a[1] or "0"), tonumber(a[2] or now), tonumber(a[3] or "0")
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
  -- What goes beyond the longest wait counts no more, so that it is over soon.
  if wait < longest then
    redis.call("SET", slowdown, string.format("%.0f", forgotten + step))
    redis.call("EXPIREAT", slowdown, expires)
  end
end
redis.call("HSET", attempts, "n", n + 1, "since", string.format("%.0f", since))
redis.call("EXPIREAT", attempts, expires)
return 0
