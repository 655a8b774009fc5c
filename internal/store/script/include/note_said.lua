-- Stores a hash of what a token said of the login, in the entry of the account at an issuer that it is for.
local function note_said(externals, external, said)
  local issued, applied, of = string.match(redis.call("HGET", externals, external) or "", "^(%S+) (%d+)%S* (.*)$")
  if of then
    redis.call("HSET", externals, external, issued .. " " .. applied .. ":" .. said .. " " .. of)
  end
end
