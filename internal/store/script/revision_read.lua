-- Reads texts of earlier revisions of a topic or comment. Changes nothing.
-- KEYS revisions ZSET    numbers of the kept revisions, the last of which is the present one
-- KEYS texts     HASH    the texts of the others by number
-- ARGV numbers[] int     numbers of revisions
-- RETURN texts   strings for each its text, and that of the revision before, as record.PackRevision writes them; each
--                        "" if there is none, and the first "" for the present revision
local found = {}
for i = 1, #numbers do
  local rank = redis.call("ZRANK", revisions, numbers[i])
  local before = rank and rank > 0 and redis.call("ZRANGE", revisions, rank - 1, rank - 1)[1]
  found[#found + 1] = redis.call("HGET", texts, numbers[i]) or ""
  found[#found + 1] = before and redis.call("HGET", texts, before) or ""
end
return {texts = found}
