-- Reports whether the rules of a topic's category let the caller reply and vote.
-- ARGV closed string where they do not: of each category, 0 for none, " id:role ", the role that may or nothing

-- Returns an error that names a field if they do not.
local function closed_replies(category, field)
  local role = closed ~= "" and string.match(closed, " " .. category .. ":(%u*) ")
  return role and redis.error_reply("CLOSED " .. field .. "." .. role)
end
