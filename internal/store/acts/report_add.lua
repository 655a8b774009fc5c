-- Adds a user's report on a topic, comment or user. A user reports each only once.
-- INCLUDE case_state text evidence
-- KEYS subject   HASH   the topic, comment or user
-- KEYS case      HASH   the reports on it, as a whole
-- KEYS reporters ZSET   who has reported it, by the number of the report
-- KEYS reports   HASH   the reports, by reporter
-- KEYS topic?    HASH   the comment's topic
-- ARGV about     string the subject: "t", "c" or "u" and its id
-- ARGV reporter  user   who reports it
-- ARGV reason    string why
-- ARGV note      string a note, or ""
-- ARGV now       time   now
-- RETURN changed flag       whether the report is new
-- RETURN case    CaseState  the case after that
-- Errors NOT_FOUND if there is no such subject, or it is not shown to all, SELF if the reporter wrote it, or is it
local state, author, category, of, deleted = unpack(redis.call("HMGET", subject, "state", "author", "category", "topic",
  "deleted"))
local open = {OPEN = true, LOCKED = true}
local kind, shown = string.sub(about, 1, 1), open[state]
if kind == "u" then
  author, category, shown = string.sub(about, 2), "0", state == "ACTIVE"
elseif kind == "c" then
  local its_state, its_category = unpack(redis.call("HMGET", topic, "state", "category"))
  category, shown = its_category, author and not deleted and (not state or open[state]) and open[its_state]
end
if not shown then
  return redis.error_reply("NOT_FOUND subjectId")
end
if author == reporter then
  return redis.error_reply("SELF subjectId")
end
if redis.call("ZSCORE", reporters, reporter) then
  return {changed = 0, case = case_state(case)}
end
local number = redis.call("HINCRBY", case, "reports", 1)
local through, last = unpack(redis.call("HMGET", case, "through", "last"))
redis.call("ZADD", reporters, number, reporter)
redis.call("HSET", reports, reporter,
  row_text(ROWS.report, {number = string.format("%d", number), reason = reason, created = now, note = note}))
redis.call("HINCRBY", case, "reason:" .. reason, 1)
if number == tonumber(through or "0") + 1 then
  redis.call("HSET", case, "first", now)
end
redis.call("HSET", case, "author", author, "category", category or "0", "topic", of or "0",
  "last", string.format("%.0f", math.max(tonumber(last or "0"), tonumber(now))))
keep_evidence(subject, about, "REPORT", now)
return {changed = 1, case = case_changed(case, about, now)}
