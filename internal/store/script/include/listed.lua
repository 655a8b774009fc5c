-- Reports whether topics in a state are in lists and counts, and seen by everybody who sees their category.
local function listed(state)
  return state == "OPEN" or state == "LOCKED"
end

-- Reports whether the lists and counts of the whole site have a topic in a state.
local function public(topic, state)
  return listed(state) and redis.call("HGET", topic, "audience") == "PUBLIC"
end
