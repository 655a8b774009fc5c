-- Changes who sees a category, or may do what in it, and records it.
-- INCLUDE creation act revert outdated_act section_act
-- KEYS rules          HASH     the rules
-- KEYS marks          ZSET     categories whose audience was changed
-- ARGV category       category the category, 0 for topics without one
-- ARGV about          string   the subject of the act
-- ARGV fields[].name  string   the name of a rule of the category
-- ARGV fields[].value string   its value
-- ARGV fields[].off   string   the value of a new category, which is not stored
-- RETURN recorded     string   id of the act; "0" if nothing changed
-- Errors   CHANGED
local present = {}
for i = 1, #fields do
  present[fields[i].name] = redis.call("HGET", rules, fields[i].name .. ":" .. category) or fields[i].off
end
local outdated = outdated_act(present)
if outdated then
  return outdated
end
local act, key = new_change()
for i = 1, #fields do
  local name = fields[i].name
  local rule = name .. ":" .. category
  change(name, present[name], fields[i].value)
  if fields[i].value == fields[i].off then
    redis.call("HDEL", rules, rule)
  else
    redis.call("HSET", rules, rule, fields[i].value)
  end
  if name == "sees" and present[name] ~= fields[i].value then
    redis.call("HINCRBY", rules, "epoch:" .. category, 1)
    redis.call("HINCRBY", rules, "epochs", 1)
    redis.call("ZADD", marks, act_at, category)
  end
end
return {recorded = record_change(act, key, "UPDATE_ACCESS", about)}
