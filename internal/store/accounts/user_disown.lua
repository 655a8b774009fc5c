-- Lets tokens of issuers set fields of a user again that were set here.
-- INCLUDE note_said
-- KEYS user      HASH  the user
-- KEYS externals HASH  the user's accounts at issuers
-- ARGV fields[] string the fields
-- ARGV said     string hash of what a token says of the login that says nothing
-- Returns  1
-- Errors   NOT_FOUND if there is no such user
if redis.call("HGET", user, "state") ~= "ACTIVE" then
  return redis.error_reply("NOT_FOUND userId")
end
local owned = redis.call("HGET", internal(user), "owned")
if not owned then
  return 1
end
for i = 1, #fields do
  if fields[i] == "login" then -- the next token changes it
    for _, external in ipairs(redis.call("HKEYS", externals)) do
      note_said(externals, external, said)
    end
  end
end
local left = {}
for field in string.gmatch(owned, "%a+") do
  local kept = true
  for i = 1, #fields do
    kept = kept and fields[i] ~= field
  end
  if kept then
    left[#left + 1] = field
  end
end
redis.call("HSET", internal(user), "owned", #left > 0 and table.concat(left, " ") or "-")
return 1
