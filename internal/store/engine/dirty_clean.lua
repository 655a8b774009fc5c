-- Removes the dirty marks of entities that have not changed since they were indexed. For a topic whose
-- homes were written it also removes the record that they must be, and of what it has left.
-- KEYS marked[].dirty  ZSET    dirty marks of the partition of an entity
-- KEYS marked[].entity HASH    that hash of the entity which has its revision
-- ARGV marked[].mark   string  its mark
-- ARGV marked[].rev    int     its indexed revision
-- ARGV marked[].votes  string  of a comment: revision of the votes that were counted; "" if there were none
-- ARGV marked[].fan    string  the revision for which homes were written, "" for none
-- ARGV marked[].left   flag    whether the indexes that it has left are updated
-- Slots    several
-- Returns  the number of marks removed
local n, clean = 0, {}
for i = 1, #marked do
  local entity = marked[i].entity
  local rev, votes, fan = unpack(redis.call("HMGET", entity, "rev", "votes", "fan"))
  if fan and fan == marked[i].fan then
    redis.call("HDEL", entity, "fan")
  end
  if rev == marked[i].rev and (votes or "") == marked[i].votes then
    if marked[i].left then
      redis.call("HDEL", entity, "left", "leftTags")
    end
    clean[#clean + 1] = marked[i].mark
  end
  -- The marks of one partition are removed together.
  if #clean > 0 and (i == #marked or marked[i + 1].dirty ~= marked[i].dirty) then
    n = n + redis.call("ZREM", marked[i].dirty, unpack(clean))
    clean = {}
  end
end
return n
