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
for i = 1, #removed do
  redis.call("HDEL", user, removed[i])
  own(user, removed[i])
end
if #fields > 0 then
  redis.call("HSET", user, unpack(fields))
end
for i = 1, #fields do
  own(user, fields[i].name)
end
changed(nil, user, "PROFILE")
return 1
