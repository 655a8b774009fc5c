-- Remembers who of the new members posted a text first.
-- INCLUDE row
-- KEYS text     STRING  "time user"
-- ARGV now      time    now
-- ARGV user     user    who posts it now
-- ARGV life     millis:number how long that is remembered
-- ARGV expires  string  when the key expires, Unix s
-- Returns  1, or 0 if another one posted it before
local taken = read_row(ROWS.taken, redis.call("GET", text))
if taken and taken.user ~= user and tonumber(taken.time) + life > tonumber(now) then
  return 0
end
redis.call("SET", text, row_text(ROWS.taken, {time = now, user = user}))
redis.call("EXPIREAT", text, expires)
return 1
