-- Writes what the queue of reports shows of a subject, unless a newer state of it was written.
-- INCLUDE despite_full row
-- KEYS revisions HASH   member -> "revision state category" that was written last
-- KEYS open      ZSET   the subjects with open reports
-- KEYS events    STREAM what happened to the open ones
-- ARGV lists     string prefix of the lists, of which open is one; the state follows, for those of a category ":c" and it
-- ARGV member    string the subject in the lists
-- ARGV row       string the subject in the events
-- ARGV rev       int    its revision
-- ARGV state     string "open", "upheld", "dismissed", or "-" if it is in no list
-- ARGV category  category its category, 0 for none
-- ARGV score     string its score
-- ARGV kept      int    how many events are kept, about
-- Returns  1 if it was written, 0 if this or a newer revision was written before
despite_full(open)
local before = read_row(ROWS.queue, redis.call("HGET", revisions, member)) or {}
local state_before, of = before.state, before.category
if tonumber(before.revision or "-1") >= tonumber(rev) then
  return 0
end
local function event(kind, of)
  if redis.call("EXISTS", events) == 1 then
    redis.call("XADD", events, "MAXLEN", "~", kept, "*", "k", kind, "m", row, "o", of)
    redis.call("PUBLISH", events, "")
  end
end
if state_before and (state_before ~= state or of ~= category) then
  redis.call("ZREM", lists .. state_before, member)
  redis.call("ZREM", lists .. state_before .. ":c" .. of, member)
  if state_before == "open" then
    event("R", of)
  end
end
if state ~= "-" then
  redis.call("ZADD", lists .. state, score, member)
  if category ~= "0" then
    redis.call("ZADD", lists .. state .. ":c" .. category, score, member)
  end
end
redis.call("HSET", revisions, member, row_text(ROWS.queue, {revision = rev, state = state, category = category}))
if state == "open" then
  event(state_before == "open" and of == category and "M" or "A", category)
end
return 1
