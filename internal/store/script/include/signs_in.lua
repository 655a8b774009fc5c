-- Whether the token of an issuer, that makes a session or API token, still signs the user in.
-- INCLUDE row
-- KEYS externals HASH   the user's accounts at issuers
-- ARGV origin    string hash of the account at an issuer that the caller came from, or ""
-- ARGV issued    time   when the token was issued that the caller is signed in with; 0 for a session
local function signs_in(user)
  if origin == "" then
    return true
  end
  local entry = read_row(ROWS.external, redis.call("HGET", externals, origin))
  if not entry or issued == "0" then
    return entry ~= nil
  end
  local out = tonumber(string.match(entry.issued, ":(%d+)$") or "-1")
  return tonumber(issued) > out and tonumber(issued) >= tonumber(redis.call("HGET", internal(user), "validSince") or "0")
end
