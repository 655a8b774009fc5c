-- Reads what is known of earlier revisions of a topic or comment without their texts. Changes nothing.
-- INCLUDE row
-- KEYS revisions ZSET    numbers of the kept revisions, the last of which is the present one
-- KEYS texts     HASH    the texts of the others by number
-- ARGV numbers[] int     numbers of revisions
-- RETURN heads   strings for each its head, and that of the revision before: the size of its text as stored, and what
--                        precedes the text in what record.PackRevision writes; "" if there is none, and for the present
--                        revision
local function head(number)
  local packed = redis.call("HGET", texts, number)
  local revision = read_row(ROWS.revision, packed)
  if not revision then
    return ""
  end
  revision.text = string.sub(revision.text, 1, 1)
  return #packed .. " " .. row_text(ROWS.revision, revision)
end
local heads = {}
for i = 1, #numbers do
  local rank = redis.call("ZRANK", revisions, numbers[i])
  local before = rank and rank > 0 and redis.call("ZRANGE", revisions, rank - 1, rank - 1)[1]
  heads[#heads + 1] = head(numbers[i])
  heads[#heads + 1] = before and head(before) or ""
end
return {heads = heads}
