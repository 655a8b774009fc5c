-- Ends the sessions and API tokens that came from an account at an issuer, because the member signed out there, and
-- refuses its tokens that were issued until then.
-- INCLUDE origin row
-- KEYS user      HASH   the user
-- KEYS externals HASH   the user's accounts at issuers
-- KEYS sessions  HASH   the user's sessions
-- KEYS tokens    HASH   the user's API tokens
-- ARGV external  string hash of the account
-- ARGV at        time   when the member signed out, by the issuer's clock
-- Returns  1, or 0 if the user does not have the account, or that or a later sign-out was noted before
local entry = read_row(ROWS.external, redis.call("HGET", externals, external))
if redis.call("HGET", user, "state") ~= "ACTIVE" or not entry then
  return 0
end
local issued, out = string.match(entry.issued, "^(%d+):?(%d*)$")
if tonumber(at) <= (tonumber(out) or 0) then
  return 0
end
entry.issued = issued .. ":" .. at
redis.call("HSET", externals, external, row_text(ROWS.external, entry))
end_from(user, external, sessions, tokens)
return 1
