-- Reads the state of a topic that its indexes need.
-- FIELD rev         int       revision
-- FIELD state       string    "OPEN", "LOCKED", "HIDDEN", "HELD" or "DELETED"
-- FIELD created     time      when it was posted
-- FIELD active      time      when it was last replied to
-- FIELD category    category  its category, 0 for none
-- FIELD left        string    ids of categories whose indexes may still hold it
-- FIELD author      user      its author
-- FIELD up          int       upvotes
-- FIELD down        int       downvotes
-- FIELD tags        string    its tags, a line "id name" for each
-- FIELD leftTags    string    ids of tags whose indexes may still hold it
-- FIELD day         day       the latest day with comments
-- FIELD dayComments string    number of comments on that day; "" if there never were any
-- FIELD dayBefore   string    number of comments on the day before; "" if there never were any
-- FIELD fan         string    revision at which it last began to belong to other homes;
--                             "" if these were written since
-- FIELD pinFront    string    when it was pinned on the front; "" if it is not
-- FIELD pinCategory string    when it was pinned in its category; "" if it is not
local function topic_state(topic)
  return redis.call("HMGET", topic, FIELDS)
end

-- Returns the topic's state, author and category of what was read.
local function place_of(state)
  return state[FIELDS.state], state[FIELDS.author], state[FIELDS.category]
end

-- Reads the state, the number of comments and the last comment number.
local function topic_counts(topic)
  local state = redis.call("HMGET", topic, FIELDS, "floor", "comments")
  local comments, floor = table.remove(state), table.remove(state)
  return {state = state, comments = comments, floor = floor}
end

-- Returns the revision, the time of activity, and the latest day with its counts.
local function activity_of(state)
  return state[FIELDS.rev], state[FIELDS.active], state[FIELDS.day], state[FIELDS.dayComments], state[FIELDS.dayBefore]
end

-- Changes them in what was read.
local function set_activity(state, rev, active, day, day_comments, day_before)
  state[FIELDS.rev], state[FIELDS.active], state[FIELDS.day] = rev, active, day
  state[FIELDS.dayComments], state[FIELDS.dayBefore] = day_comments, day_before
end
