-- Removes the dirty marks of entities that have not changed since they were indexed. For a topic whose
-- homes were written it also removes the record that they must be, and of what it has left.
-- KEYS dirty           ZSET    dirty marks of the partition
-- KEYS marked[].entity HASH    an entity
-- ARGV marked[].mark   string  its mark
-- ARGV marked[].rev    int     its indexed revision
-- ARGV marked[].votes  string  of a comment: revision of the votes that were counted; "" if there were none
-- ARGV marked[].fan    string  the revision for which homes were written, "" for none
-- ARGV marked[].left   flag    whether the indexes that it has left are updated
-- Returns  the number of marks removed
local n = 0
for i = 1, #marked do
  local entity, fan = marked[i].entity, marked[i].fan
  if fan ~= "" and redis.call("HGET", entity, "fan") == fan then
    redis.call("HDEL", entity, "fan")
  end
  local rev, votes = unpack(redis.call("HMGET", entity, "rev", "votes"))
  if rev == marked[i].rev and (votes or "") == marked[i].votes then
    if marked[i].left then
      redis.call("HDEL", entity, "left", "leftTags")
    end
    n = n + redis.call("ZREM", dirty, marked[i].mark)
  end
end
return n
