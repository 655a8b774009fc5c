-- Marks a user's notifications about subjects that are gone as read, and publishes which.
-- INCLUDE note_reads
-- KEYS user   HASH  the user; their key is the channel
-- KEYS unread ZSET  numbers of the user's notifications that were not marked as read
-- KEYS notes  HASH  what the notifications say, by number, and their numbers by subject
-- ARGV now    time  now
-- ARGV subjects[] string  the subjects, as note_add takes them
-- Returns  how many were marked
local marked = 0
for i = 1, #subjects do
  local seq = redis.call("HGET", notes, subjects[i])
  if seq and redis.call("ZREM", unread, seq) == 1 then
    marked = marked + 1
    count_read(user, now, seq)
  end
end
return marked
