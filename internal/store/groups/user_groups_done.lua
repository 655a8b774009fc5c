-- Removes the mark of a user whose groups were written into their sets, unless they have changed since.
-- KEYS user  HASH   the user
-- KEYS dirty ZSET   dirty marks of the partition
-- ARGV id    user   the user
-- ARGV rev   string the revision of the groups that were written, "" for none
-- Returns  1 if there was a mark and it was removed, otherwise 0
if (redis.call("HGET", internal(user), "groupsRev") or "") ~= rev then
  return 0
end
return redis.call("ZREM", dirty, "g:" .. id)
