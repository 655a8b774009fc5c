-- Stores a hash of what a token said of the login, in the entry of the account at an issuer that it is for.
-- INCLUDE row
local function note_said(externals, external, said)
  local entry = read_row(ROWS.external, redis.call("HGET", externals, external))
  if entry then
    entry.applied = string.match(entry.applied, "^%d+") .. ":" .. said
    redis.call("HSET", externals, external, row_text(ROWS.external, entry))
  end
end
