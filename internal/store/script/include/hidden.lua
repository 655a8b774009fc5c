-- Reports whether topics in a state are in lists and counts, and seen by everybody who sees their category.
local function listed(state)
  return state == "OPEN" or state == "LOCKED"
end

-- Reports whether the lists and counts of the whole site have a topic in a state.
local function public(topic, state)
  return listed(state) and redis.call("HGET", topic, "audience") == "PUBLIC"
end

-- Reports whether a topic is hidden from a viewer: it does not exist, or it is not listed and the viewer is neither its
-- author nor moderates it. A viewer who is signed out is not the ghost, though both have no id.
local function hidden(state, author, viewer, moderates)
  return not state or (not listed(state) and (viewer ~= author or viewer == "0") and not moderates)
end
