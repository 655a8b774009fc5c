-- Marks a user's notifications about deleted subjects as read, and publishes which.
-- INCLUDE note_reads
-- KEYS user   HASH  the user, whose key is the channel
-- KEYS unread ZSET  numbers of the user's notifications that were not marked as read
-- KEYS notes  HASH  the notifications' contents by number, and their numbers by subject
-- ARGV now    time  now
-- ARGV subjects[] string  the subjects, as in note_add
-- Returns  the number of notifications marked
local marked = 0
for i = 1, #subjects do
  local seq = redis.call("HGET", notes, subjects[i])
  if seq and redis.call("ZREM", unread, seq) == 1 then
    marked = marked + 1
    count_read(user, now, seq)
  end
end
return marked
