-- Counts a post of a new member, and decides whether it is held. A call that is repeated has the same result.
-- KEYS recent   HASH    what the member posted: "day" and "posts" of that day; "k" and a key of calls -> "time verdict";
--                       "x" and a hash of texts -> time
-- KEYS approved SET     posts that moderators have approved
-- ARGV now      time    now
-- ARGV day      day     the day of the site
-- ARGV most     int:number  how many posts on a day; -1 for any number
-- ARGV hold     int:number  how many posts must be approved before others are shown at once
-- ARGV text     string  hash of the text; "" if it may be posted again
-- ARGV once    string  hash of the key of the call; "" if it has none
-- ARGV text_life millis:number how long a text is remembered
-- ARGV once_life millis:number how long a key is remembered
-- ARGV expires  string  when the hash expires, Unix s
-- Returns  OK or HELD; POSTS if there were too many on that day, DUPLICATE if the text was posted before
for _, field in ipairs(redis.call("HKEYS", recent)) do
  local sort = string.sub(field, 1, 1)
  if sort == "k" or sort == "x" then
    local at = tonumber(string.match(redis.call("HGET", recent, field), "^%d+"))
    if at + (sort == "k" and once_life or text_life) <= tonumber(now) then
      redis.call("HDEL", recent, field)
    end
  end
end
local before = once ~= "" and redis.call("HGET", recent, "k" .. once)
if before then
  return string.match(before, "%a+$")
end
if text ~= "" and redis.call("HEXISTS", recent, "x" .. text) == 1 then
  return "DUPLICATE"
end
local last, posts = unpack(redis.call("HMGET", recent, "day", "posts"))
posts = last == day and tonumber(posts) or 0
if most >= 0 and posts >= most then
  return "POSTS"
end
local verdict = redis.call("SCARD", approved) < hold and "HELD" or "OK"
redis.call("HSET", recent, "day", day, "posts", string.format("%d", posts + 1))
if text ~= "" then
  redis.call("HSET", recent, "x" .. text, now)
end
if once ~= "" then
  redis.call("HSET", recent, "k" .. once, now .. " " .. verdict)
end
redis.call("EXPIREAT", recent, expires)
return verdict
