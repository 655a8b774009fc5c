-- Takes an earlier text of a topic or comment out of sight, or brings it back, and records that.
-- INCLUDE creation act role rank row
-- KEYS revisions ZSET   numbers of the kept revisions, the last of which is the present one
-- KEYS texts     HASH   the texts of the others by number
-- ARGV about     string "t" or "c", and the id of the topic or comment
-- ARGV number    int    number of the revision
-- ARGV redact    flag   whether to take it out of sight
-- ARGV role      string role of its editor; "" if there is no such account
-- ARGV its    string ids of the categories that the editor moderates
-- ARGV category category the category of the topic
-- RETURN changed flag   whether anything changed
-- RETURN act     string id of the act, or of that in force; "0" if there is none
-- RETURN editor  user   who wrote the text
-- Errors   NOT_FOUND if the text is not kept, PRESENT if it is the present one, SELF, FORBIDDEN if the viewer does not
--          outrank the editor, EXHAUSTED
local packed = redis.call("HGET", texts, number)
if not packed then
  return redis.error_reply(redis.call("ZSCORE", revisions, number) and "PRESENT" or "NOT_FOUND number")
end
local revision = read_row(ROWS.revision, packed)
local editor, before = revision.editor, revision.act
if editor == act_by then
  return redis.error_reply("SELF number")
end
if not outranks(role, its, category) then
  return redis.error_reply("FORBIDDEN number")
end
if (before ~= "0") == redact then
  return {changed = 0, act = before, editor = editor}
end
local _, act, key = new_entity()
if not act then
  return redis.error_reply("EXHAUSTED")
end
revision.act = redact and act or "0"
redis.call("HSET", texts, number, row_text(ROWS.revision, revision))
record_act(act, key, redact and "REDACT" or "UNREDACT", about, editor, number, before ~= "0" and before or nil)
return {changed = 1, act = act, editor = editor}
