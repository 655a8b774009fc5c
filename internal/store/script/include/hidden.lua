-- Reports whether topics in a state are in lists and counts, and seen by everybody.
local function listed(state)
  return state == "OPEN" or state == "LOCKED"
end

-- Reports whether a topic is hidden from a viewer: it does not exist, or it is not listed and the viewer is neither its
-- author nor moderates it. A viewer who is signed out is not the ghost, though both have no id.
local function hidden(state, author, viewer, moderates)
  return not state or (not listed(state) and (viewer ~= author or viewer == "0") and not moderates)
end
