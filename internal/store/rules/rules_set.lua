-- Changes rules of the site, and records it.
-- INCLUDE creation act revert outdated_act section_act
-- KEYS rules          HASH    the rules
-- ARGV fields[].name  string  a rule
-- ARGV fields[].value string  its value
-- ARGV fields[].off   string  the value that turns it off, which is not stored
-- ARGV open           flag    whether access may be MEMBERS while registration is OPEN
-- RETURN recorded     string  id of the act; "0" if nothing changed
-- Errors   CHANGED, OPEN_REGISTRATION
local present, after = {}, {}
for i = 1, #fields do
  present[fields[i].name] = redis.call("HGET", rules, fields[i].name) or fields[i].off
  after[fields[i].name] = fields[i].value
end
local outdated = outdated_act(present)
if outdated then
  return outdated
end
local function value(name)
  return after[name] or redis.call("HGET", rules, name) or "0"
end
if not open and (after.access or after.registration) and value("access") ~= "0" and value("registration") == "0" then
  return redis.error_reply("OPEN_REGISTRATION " .. (after.access and "access" or "registration"))
end
local act, key = new_change()
for i = 1, #fields do
  change(fields[i].name, present[fields[i].name], fields[i].value)
  if fields[i].value == fields[i].off then
    redis.call("HDEL", rules, fields[i].name)
  else
    redis.call("HSET", rules, fields[i].name, fields[i].value)
  end
end
return {recorded = record_change(act, key, "UPDATE_RULES", "s")}
