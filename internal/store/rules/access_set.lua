-- Changes who may do what in a category, and records it.
-- INCLUDE creation act revert outdated_act section_act
-- KEYS rules          HASH     the rules
-- ARGV category       category the category, 0 for topics without one
-- ARGV about          string   the subject of the act
-- ARGV fields[].name  string   the name of a permission
-- ARGV fields[].value string   its value
-- RETURN recorded     string   id of the act; "0" if nothing changed
-- Errors   CHANGED
local present = {}
for i = 1, #fields do
  present[fields[i].name] = redis.call("HGET", rules, fields[i].name .. ":" .. category) or "EVERYBODY"
end
local outdated = outdated_act(present)
if outdated then
  return outdated
end
local act, key = new_change()
for i = 1, #fields do
  local rule = fields[i].name .. ":" .. category
  change(fields[i].name, present[fields[i].name], fields[i].value)
  if fields[i].value == "EVERYBODY" then -- which is not stored
    redis.call("HDEL", rules, rule)
  else
    redis.call("HSET", rules, rule, fields[i].value)
  end
end
return {recorded = record_change(act, key, "UPDATE_ACCESS", about)}
