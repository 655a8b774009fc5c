-- Reads the state of a topic that its indexes need.
-- FIELD state       string    "OPEN", "LOCKED", "HIDDEN", "HELD" or "DELETED"
-- FIELD created     time      when it was posted
-- FIELD active      time      when it was last replied to
-- FIELD category    category  its category, 0 for none
-- FIELD author      user      its author
-- FIELD up          int       upvotes
-- FIELD down        int       downvotes
-- FIELD tags        string    its tags, a line "id name" for each
-- FIELD day         day       the latest day with comments
-- FIELD dayComments string    number of comments on that day; "" if there never were any
-- FIELD dayBefore   string    number of comments on the day before; "" if there never were any
-- FIELD audience    string    the audience of its category by which its lists were last written
-- INTERNAL rev         int    revision
-- INTERNAL left        string ids of categories whose indexes may still hold it
-- INTERNAL leftTags    string ids of tags whose indexes may still hold it
-- INTERNAL fan         string revision at which it last began to belong to other homes;
--                             "" if these were written since
-- INTERNAL pinFront    string when it was pinned on the front; "" if it is not
-- INTERNAL pinCategory string when it was pinned in its category; "" if it is not
-- INTERNAL epoch       string epoch of the rules of its category by which its lists were last written; "" for 0
local function topic_state(topic)
  local state = redis.call("HMGET", topic, FIELDS)
  for _, value in ipairs(redis.call("HMGET", internal(topic), INTERNALS)) do
    state[#state + 1] = value
  end
  return state
end

-- Returns the topic's state, author and category of what was read.
local function place_of(state)
  return state[FIELDS.state], state[FIELDS.author], state[FIELDS.category]
end

-- Reports whether the lists and counts of the whole site have the topic, of what was read.
local function is_public(state)
  return (state[FIELDS.state] == "OPEN" or state[FIELDS.state] == "LOCKED") and state[FIELDS.audience] == "PUBLIC"
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

-- Returns the revision, the time of posting and the votes.
local function votes_of(state)
  return state[FIELDS.rev], state[FIELDS.created], state[FIELDS.up], state[FIELDS.down]
end

-- Changes revision and votes in what was read.
local function set_votes(state, rev, up, down)
  state[FIELDS.rev], state[FIELDS.up], state[FIELDS.down] = rev, up, down
end
