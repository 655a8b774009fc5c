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
