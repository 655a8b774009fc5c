-- Takes one use of an invitation for a registration; the same registration takes no second one.
-- INCLUDE banned role
-- KEYS creator       HASH   the user who made it
-- KEYS invitations HASH   that user's invitations
-- ARGV name        string name of the invitation
-- ARGV taker       string the registration, "user/nonce"
-- ARGV now         time   now
-- ARGV roles[]     string the roles of those who may invite
-- Returns  1
-- Errors   NOT_FOUND if it is not open, or its creator may no longer invite, is deactivated, or is BANNED
local value = redis.call("HGET", invitations, name)
local is = value and cjson.decode(value)
local came = is and is.came or ""
if is and string.find(" " .. came .. " ", " " .. taker .. " ", 1, true) then
  return 1
end
local state, role = redis.call("HGET", creator, "state"), role_at(creator, now)
local may = false
for i = 1, #roles do
  may = may or roles[i] == role
end
local _, taken = string.gsub(came, "%S+", "")
if not is or is.revoked or is.expires <= tonumber(now) or taken >= is.uses or state ~= "ACTIVE" or not may or
  redis.call("HEXISTS", internal(creator), "deactivated") == 1 or banned(creator, now) then
  return redis.error_reply("NOT_FOUND invitation")
end
is.came = taken == 0 and taker or came .. " " .. taker
redis.call("HSET", invitations, name, cjson.encode(is))
return 1
