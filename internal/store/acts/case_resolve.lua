-- Resolves the reports on a subject up to a number, and records that in the moderation log. Later ones stay open.
-- INCLUDE creation act case_state row
-- KEYS case      HASH   the reports on the subject, as a whole
-- KEYS reporters ZSET   who has reported it, by the number of the report
-- KEYS reports   HASH   the reports, by reporter
-- KEYS due       ZSET   due tasks of the partition
-- KEYS hidden_items ZSET what the partition keeps for a time
-- ARGV about     string the subject: "t", "c" or "u" and its id
-- ARGV upto      int:number the number of the last report to resolve
-- ARGV outcome   string UPHELD or DISMISSED
-- ARGV kind      string kind of the act
-- ARGV tasks     string prefix of tasks that tell the reporters; the id of the act follows
-- ARGV task_name string prefix of their names
-- RETURN act     string     id of the act; "0" if these reports were resolved before
-- RETURN before  string     id of the act that resolved them then, "0" for none
-- RETURN member  user       who wrote the subject, or is it
-- RETURN count   int        how many were resolved
-- RETURN case    CaseState  the case after that
-- Errors NOT_FOUND if no one has reported it, EXHAUSTED
local all, through, author, before = unpack(redis.call("HMGET", case, "reports", "through", "author", "act"))
if not all then
  return redis.error_reply("NOT_FOUND subjectId")
end
local from, to = tonumber(through or "0"), math.min(upto, tonumber(all))
if to <= from then
  return {act = "0", before = before or "0", member = author, count = 0, case = case_state(case)}
end
local _, act, key = new_entity()
if not act then
  return redis.error_reply("EXHAUSTED")
end
local count = string.format("%d", to - from)
redis.call("HSET", case, "through", string.format("%d", to), "outcome", outcome, "act", act, "resolved", act_at,
  "count", count)
for _, field in ipairs(redis.call("HKEYS", case)) do
  if string.sub(field, 1, 7) == "reason:" then
    redis.call("HDEL", case, field)
  end
end
redis.call("HDEL", case, "first")
for _, reporter in ipairs(redis.call("ZRANGEBYSCORE", reporters, string.format("(%d", to), "+inf")) do
  local report = read_row(ROWS.report, redis.call("HGET", reports, reporter))
  if report then
    redis.call("HINCRBY", case, "reason:" .. report.reason, 1)
    redis.call("HSETNX", case, "first", report.created)
  end
end
record_act(act, key, kind, about, author, count)
redis.call("ZADD", hidden_items, "XX", act_at, "e:" .. about)
redis.call("HSET", tasks .. act, "n", "1000", "attempts", "0", "cursor", string.format("%d %d", from, to))
redis.call("ZADD", due, act_at, task_name .. act)
return {act = act, before = "0", member = author, count = tonumber(count), case = case_changed(case, about, act_at)}
