-- Withholds a user's notifications of comments on a topic that the user watches, because the topic was hidden, or gives them
-- back, because it was restored.
-- INCLUDE note_reads withhold read_watched
-- KEYS user   HASH  the user, whose key is the channel
-- KEYS unread ZSET  numbers of the user's notifications that were not marked as read
-- KEYS notes  HASH  the notifications' contents by number, and their numbers by subject
-- ARGV topic  topic the topic
-- ARGV rev    int   its revision
-- ARGV hidden time  when it was hidden: later comments belong to a topic that was restored; 0 if it is not hidden
-- ARGV now    time  now
-- Returns  1
local last = hidden == "0" and math.huge or tonumber(hidden)
read_watched(user, unread, notes, topic, last, {why = hidden == "0" and 0 or 2, topic = tonumber(rev)}, now)
return 1
