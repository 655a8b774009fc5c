-- Sets the login of a user, who asks for it, or for whom a token of an issuer says it.
-- KEYS externals HASH   the user's accounts at issuers
-- ARGV external  string hash of the account of the token; "" if the user asks
-- ARGV said      string hash of what the token says of the login
-- ARGV named     flag   whether the token says a name; otherwise one that is the login remains so

-- Sets the login, and who its owner is.
local function set_login(user, login)
  local before, name = unpack(redis.call("HMGET", user, "login", "name"))
  redis.call("HSET", user, "login", login)
  if external == "" then
    return own(user, "login")
  end
  if not named and name == before and not owns(user, "name") then
    redis.call("HSET", user, "name", login)
  end
  note_said(externals, external, said) -- so that the token is not followed again
end
