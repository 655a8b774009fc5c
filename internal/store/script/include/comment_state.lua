-- Reads the state of a comment that the list of its author and their karma need.
-- FIELD author   user    its author
-- FIELD created  time    when it was posted
-- FIELD deleted  string  when it was deleted; "" if it was not
-- FIELD state    string  "LOCKED", "HIDDEN" or "HELD"; "" if it is open
-- FIELD up       string  upvotes; "" if it never had any
-- FIELD down     string  downvotes; "" if it never had any
-- INTERNAL rev   int     revision
-- INTERNAL told  string  users who were notified of it
-- INTERNAL tell  string  users who are to be notified of it
-- INTERNAL own   int     its author's own vote, 1 or -1; 0 if there is none
-- INTERNAL votes int     revision of the votes
local function comment_state(comment)
  local state = redis.call("HMGET", comment, FIELDS)
  for _, value in ipairs(redis.call("HMGET", internal(comment), INTERNALS)) do
    state[#state + 1] = value
  end
  return state
end
