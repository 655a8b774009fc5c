-- Marks a user's notifications of comments on a topic that the user watches as read, because the topic was hidden.
-- INCLUDE note_reads read_watched
-- KEYS user   HASH  the user, whose key is the channel
-- KEYS unread ZSET  numbers of the user's notifications that were not marked as read
-- KEYS notes  HASH  the notifications' contents by number, and their numbers by subject
-- ARGV topic  topic the topic
-- ARGV hidden time  when it was hidden: later comments belong to a topic that was restored
-- ARGV now    time  now
-- Returns  1
read_watched(user, unread, notes, topic, tonumber(hidden), now)
return 1
