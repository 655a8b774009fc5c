-- Ends that a user moderates a category that is deleted. No act records that, as nobody did it to the user.
-- INCLUDE changed despite_full staff
-- KEYS user     HASH     the user
-- KEYS dirty    ZSET     dirty marks of the partition
-- ARGV category category the category
-- Returns  1 if the user moderated it, otherwise 0
local kept, had = {}, false
for id in string.gmatch(redis.call("HGET", user, "moderates") or "", "%d+") do
  if id == category then
    had = true
  else
    kept[#kept + 1] = id
  end
end
if not had then
  return 0
end
despite_full(dirty)
note_staff(user)
if #kept == 0 then
  redis.call("HDEL", user, "moderates")
else
  redis.call("HSET", user, "moderates", table.concat(kept, " "))
end
redis.call("HINCRBY", internal(user), "moderatesRev", 1)
changed(nil, user, "ROLE", user, "ACCESS")
return 1
