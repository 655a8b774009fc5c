-- Changes what a user shows to others.
-- INCLUDE changed own
-- KEYS user      HASH    the user
-- ARGV fields[]  pair    fields to set, or to remove if the value is ""
-- Returns  1
-- Errors   UNAUTHENTICATED if the account is not active
local names = {"state"}
for i = 1, #fields do
  names[i + 1] = fields[i].name
end
local before = redis.call("HMGET", user, unpack(names))
if before[1] ~= "ACTIVE" then
  return redis.error_reply("UNAUTHENTICATED")
end
local set, unset = {}, {}
for i = 1, #fields do
  local name, value = fields[i].name, fields[i].value
  own(user, name)
  if value == "" then
    unset[#unset + 1] = before[i + 1] and name or nil
  elseif value ~= before[i + 1] then
    set[#set + 1], set[#set + 2] = name, value
  end
end
if #set > 0 then
  redis.call("HSET", user, unpack(set))
end
if #unset > 0 then
  redis.call("HDEL", user, unpack(unset))
end
if #set + #unset > 0 then
  changed(nil, user, "PROFILE")
end
return 1
