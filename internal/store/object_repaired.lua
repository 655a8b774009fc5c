-- Says that a repair has written what readers are shown of an object.
-- INCLUDE changed despite_full
-- KEYS object HASH the object; of reports on a subject, the name of their case
-- KEYS feed   ZSET changes in the slot
-- Returns  1
despite_full(feed)
changed(nil, object, "REPAIRED")
return 1
