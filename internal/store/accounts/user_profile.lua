-- Changes what a user shows to others.
-- INCLUDE changed own
-- KEYS user      HASH    the user
-- ARGV removed[] string  fields to remove
-- ARGV fields[]  pair    fields to set
-- Returns  1
-- Errors   UNAUTHENTICATED if the account is not active
if redis.call("HGET", user, "state") ~= "ACTIVE" then
  return redis.error_reply("UNAUTHENTICATED")
end
local differs = false
for i = 1, #removed do
  differs = redis.call("HDEL", user, removed[i]) == 1 or differs
  own(user, removed[i])
end
for i = 1, #fields do
  local name, value = fields[i].name, fields[i].value
  differs = differs or redis.call("HGET", user, name) ~= value
  redis.call("HSET", user, name, value)
  own(user, name)
end
if differs then
  changed(nil, user, "PROFILE")
end
return 1
