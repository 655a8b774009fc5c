-- Reads when sessions end.
-- INCLUDE row
local function session_ends(text)
  return tonumber(string.match(read_row(ROWS.session, text).ends, "^%d+"))
end
