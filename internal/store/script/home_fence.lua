-- Keeps late writes out of the homes of a partition: those of states of a topic that are
-- out of date.
-- INCLUDE fence
-- KEYS fence  HASH    what homes of the partition must not take, of this hour
-- ARGV topic   topic   the topic
-- ARGV refuse  string  "d" when the topic is deleted, else the revision before which states are out of date
-- ARGV expires string  when the hash expires, Unix s
-- Returns  1
set_fence(fence, topic, refuse, expires)
return 1
