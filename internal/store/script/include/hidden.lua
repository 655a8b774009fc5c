-- Reports whether a topic is not there for a viewer: there is none, or it is deleted and the
-- viewer neither its author nor a moderator.
local function hidden(state, author, viewer, moderator)
  return not state or (state == "DELETED" and viewer ~= author and not moderator)
end
