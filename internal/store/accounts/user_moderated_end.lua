-- Forgets what a deleted account moderated, and how often its groups have changed, once its categories and groups note
-- that it does no longer, and is in none.
-- INCLUDE changed despite_full
-- KEYS user  HASH the user
-- KEYS dirty ZSET dirty marks of the partition
-- Returns  1
despite_full(dirty)
redis.call("HDEL", internal(user), "moderatesRev", "groupsRev")
if redis.call("HDEL", user, "moderates") == 1 then
  changed(nil, user, "ROLE")
end
return 1
