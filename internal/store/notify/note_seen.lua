-- Says whether subjects of a user's notifications are hidden or deleted, so that unread ones are withheld, given back, or
-- marked as read for good, and publishes which.
-- INCLUDE note_reads withhold
-- KEYS user   HASH  the user, whose key is the channel
-- KEYS unread ZSET  numbers of the user's notifications that were not marked as read
-- KEYS notes  HASH  the notifications' contents by number, and their numbers by subject
-- ARGV now    time  now
-- ARGV why    string  why they are withheld, as in include/withhold; "" if they are deleted
-- ARGV comment_rev int the revision of the comments of which that is said; 0 of topics
-- ARGV topic_rev int   that of their topic
-- ARGV subjects[] string  the subjects, as in note_add
-- Returns  the number of notifications that there are
local news, there = {}, 0
local new = tonumber(why) and {why = tonumber(why), comment = tonumber(comment_rev), topic = tonumber(topic_rev)} or false
for i = 1, #subjects do
  local seq = redis.call("HGET", notes, subjects[i])
  if seq then
    news[seq], there = new, there + 1
  end
end
withhold(user, unread, notes, news, now)
return there
