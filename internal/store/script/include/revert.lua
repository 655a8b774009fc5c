-- Lets a script revert an act.
-- ARGV reverted string key of the act to revert, "" for none

-- Returns the id of the act to revert, nil for none.
local function reverted_act()
  return string.match(reverted, "%d+$")
end
