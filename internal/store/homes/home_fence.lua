-- Makes the homes of a partition refuse states of a topic that are out of date.
-- INCLUDE fence
-- KEYS fence  HASH    fence of this hour
-- ARGV topic   topic   the topic
-- ARGV refuse  string  "d" if the topic is deleted, otherwise the revision before which states are out of date
-- ARGV expires string  when the hash expires, Unix s
-- Returns  1
set_fence(fence, topic, refuse, expires)
return 1
