-- Begins a take-out, which nobody can begin again, prolongs it, or ends it.
-- INCLUDE row
-- KEYS takeout  STRING  the take-out of the user
-- ARGV digest   string  digest of the secret
-- ARGV from     string  the state that it must have
-- ARGV lease    time    until when it runs unless it is prolonged; 0 ends it
-- ARGV now      time    now
-- ARGV expires  int     when the key expires, Unix s
-- Returns  1, or 0 if it has another state or secret, or its time is over
local present = redis.call("GET", takeout)
local is = present and read_row(ROWS.takeout, present)
if not is or is.digest ~= digest or is.state ~= from or tonumber(is.ends) <= tonumber(now) then
  return 0
end
if tonumber(lease) == 0 then
  redis.call("DEL", takeout)
  return 1
end
redis.call("SET", takeout, row_text(ROWS.takeout, {state = "RUNS", ends = lease, digest = digest}))
redis.call("EXPIREAT", takeout, expires)
return 1
