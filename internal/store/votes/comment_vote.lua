-- Sets one user's vote on a comment, replacing or withdrawing an earlier one.
-- INCLUDE changed rights may_reply blocks vote comment_changed karma
-- KEYS comment         HASH     the comment
-- KEYS topic           HASH     its topic
-- KEYS upvoters        ZSET     users who voted up, by id
-- KEYS downvoters      ZSET     users who voted down, by id
-- KEYS topic_votes     HASH     votes on the topic's comments
-- KEYS parent_votes?   HASH     votes on the parent's replies; only with a parent
-- ARGV id              comment  the comment
-- ARGV user            user     the voter
-- ARGV want            vote     the requested vote
-- ARGV users           string   prefix of users of the partition, to check blocks
-- RETURN changed       flag     whether the vote changed
-- RETURN up            int      upvotes
-- RETURN down          int      downvotes
-- RETURN author        user     the author of the comment
-- RETURN rev           int      revision of the votes
-- RETURN listing       int      revision of the comment
-- RETURN net           int      votes of others than the author, up minus down
-- Errors   NOT_FOUND, LOCKED if it or its topic is not open, CLOSED if others vote in its category, BLOCKED if the
--          topic's author has blocked the user; who may still withdraw a vote
local of, deleted, number, author, own_state = unpack(redis.call("HMGET", comment, "topic", "deleted", "floor", "author",
  "state"))
local up_base, down_base, listing = unpack(redis.call("HMGET", internal(comment), "upBase", "downBase", "rev"))
local state, topic_author, category = unpack(redis.call("HMGET", topic, "state", "author", "category"))
local moderates_it = moderates_topic(category)
if not of or hidden(state, topic_author, user, category) or (own_state == "HELD" and user ~= author and not moderates_it) then
  return redis.error_reply("NOT_FOUND subjectId")
end
if deleted or own_state or state ~= "OPEN" then
  return redis.error_reply("LOCKED subjectId")
end
local refused = want ~= "NONE" and closed_replies(category, "subjectId")
if refused then
  return refused
end
if want ~= "NONE" and blocks(users, topic_author, user) then
  return redis.error_reply("BLOCKED subjectId")
end

local had = vote_of(upvoters, downvoters, user)
if had == want then
  local up, down = unpack(redis.call("HMGET", comment, "up", "down"))
  return {changed = 0, up = tonumber(up or "0"), down = tonumber(down or "0"), author = author, rev = 0, listing = listing, net = 0}
end
set_vote(upvoters, downvoters, user, had, want)
local up = tonumber(up_base or "0") + redis.call("ZCARD", upvoters)
local down = tonumber(down_base or "0") + redis.call("ZCARD", downvoters)
redis.call("HSET", comment, "up", string.format("%d", up), "down", string.format("%d", down))
for _, votes in ipairs({topic_votes, parent_votes}) do
  if up + down > 0 then
    redis.call("HSET", votes, id, string.format("%d %d", up, down))
  else
    redis.call("HDEL", votes, id)
  end
end
if user == author then
  set_own(comment, want)
end
local rev = redis.call("HINCRBY", internal(comment), "votes", 1)
comment_changed(topic, id, number, false)
changed(changed_at, comment, "VOTES", topic, "COMMENT")
return {changed = 1, up = up, down = down, author = author, rev = rev, listing = listing, net = karma_of(comment)}
