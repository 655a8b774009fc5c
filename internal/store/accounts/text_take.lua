-- Remembers who of the new members posted a text first.
-- KEYS text     STRING  "time user"
-- ARGV now      time    now
-- ARGV user     user    who posts it now
-- ARGV life     millis:number how long that is remembered
-- ARGV expires  string  when the key expires, Unix s
-- Returns  1, or 0 if another one posted it before
local at, who = string.match(redis.call("GET", text) or "", "^(%d+) (%d+)$")
if at and who ~= user and tonumber(at) + life > tonumber(now) then
  return 0
end
redis.call("SET", text, now .. " " .. user)
redis.call("EXPIREAT", text, expires)
return 1
