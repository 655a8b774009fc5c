-- Reports whether a topic is hidden from a viewer: it does not exist, or it is deleted and the viewer is
-- neither its author nor a moderator.
local function hidden(state, author, viewer, moderator)
  return not state or (state == "DELETED" and viewer ~= author and not moderator)
end
