-- Makes an invitation. What is closed for longest is forgotten if the user has too many.
-- KEYS user        HASH   the user who makes it
-- KEYS invitations HASH   the user's invitations
-- ARGV name        string its name
-- ARGV value       string what is stored of it
-- ARGV now         time   now
-- ARGV most_open   int    how many of a user can be open
-- ARGV most        int    how many of a user are kept
-- Returns  1
-- Errors   UNAUTHENTICATED if the account is not active, TOO_LONG_INVITATIONS
if redis.call("HGET", user, "state") ~= "ACTIVE" then
  return redis.error_reply("UNAUTHENTICATED")
end
local all, closed, open = redis.call("HGETALL", invitations), {}, 0
for i = 1, #all, 2 do
  local is = cjson.decode(all[i + 1])
  local _, came = string.gsub(is.came or "", "%S+", "")
  if not is.revoked and is.expires > tonumber(now) and came < is.uses then
    open = open + 1
  else
    closed[#closed + 1] = {created = is.created, name = all[i]}
  end
end
if open >= tonumber(most_open) then
  return redis.error_reply("TOO_LONG_INVITATIONS uses")
end
table.sort(closed, function(a, b)
  return a.created < b.created or (a.created == b.created and a.name < b.name)
end)
for i = 1, math.min(#all / 2 + 1 - tonumber(most), #closed) do
  redis.call("HDEL", invitations, closed[i].name)
end
redis.call("HSET", invitations, name, value)
return 1
