-- Sets one user's vote on a topic, replacing or withdrawing an earlier one.
-- INCLUDE changed topic_state rights may_reply blocks vote karma
-- KEYS topic      HASH    the topic
-- KEYS upvoters   ZSET    users who voted up, by id
-- KEYS downvoters ZSET    users who voted down, by id
-- KEYS dirty      ZSET    dirty marks of the partition
-- KEYS due        ZSET    due tasks of the partition
-- KEYS task       HASH    the task that writes the user's log
-- ARGV id         topic   the topic
-- ARGV user       user    the voter
-- ARGV now        time    now
-- ARGV want       vote    the requested vote
-- ARGV window     int     how long an article accepts votes, ms
-- ARGV grace      millis  how long the voters are stored after that
-- ARGV lease      time    end of the caller's lease of the task
-- ARGV task_name  string  name of the task
-- ARGV users      string  prefix of users of the partition, to check blocks
-- RETURN changed  flag    whether the vote changed
-- RETURN dirty    flag    whether the indexes may be out of date
-- RETURN fresh    flag    whether it is only because of this vote that they may be
-- RETURN voted    string  time of the vote, for the log; "0" if there is nothing to write
-- RETURN token    string  fencing token of the task; "0" if there is nothing to write
-- RETURN kind     string  kind of the topic
-- RETURN topic    TopicState  state for its indexes
-- Errors   NOT_FOUND, LOCKED if it is not open, VOTING_CLOSED with the time, CLOSED if others
--          vote in its category, BLOCKED if the author has blocked the user; who may still withdraw a vote
local topic_fields, kind = topic_state(topic), redis.call("HGET", topic, "kind")
local up_base, down_base, last_voted, own = unpack(redis.call("HMGET", internal(topic), "upBase", "downBase", "voted", "own"))
local state, author, category = place_of(topic_fields)
local rev, created, up, down = votes_of(topic_fields)
if hidden(state, author, user, category) then
  return redis.error_reply("NOT_FOUND subjectId")
end
if state ~= "OPEN" then
  return redis.error_reply("LOCKED subjectId")
end
local closes = tonumber(created) + tonumber(window)
if kind == "ARTICLE" and tonumber(now) >= closes then
  return redis.error_reply("VOTING_CLOSED subjectId " .. string.format("%.0f", closes))
end
local refused = want ~= "NONE" and closed_replies(category, "subjectId")
if refused then
  return refused
end
if want ~= "NONE" and blocks(users, author, user) then
  return redis.error_reply("BLOCKED subjectId")
end

local fresh, voted, token = 0, "0", "0"
local had = vote_of(upvoters, downvoters, user)
if had ~= want then
  local side = set_vote(upvoters, downvoters, user, had, want)
  if side and kind == "ARTICLE" then
    redis.call("EXPIREAT", side, string.format("%.0f", math.ceil((closes + tonumber(grace)) / 1000)))
  end
  local karma, count = net_of(up, down, own), string.format
  up = count("%d", tonumber(up_base or "0") + redis.call("ZCARD", upvoters))
  down = count("%d", tonumber(down_base or "0") + redis.call("ZCARD", downvoters))
  rev = count("%.0f", tonumber(rev or "0") + 1)
  redis.call("HSET", topic, "up", up, "down", down)
  redis.call("HSET", internal(topic), "rev", rev)
  set_votes(topic_fields, rev, up, down)
  if user == author then
    own = set_own(topic, want)
  end
  add_karma(users .. author, net_of(up, down, own) - karma)
  fresh = changed(now, topic, "VOTES")
  if kind == "ARTICLE" then
    -- Later votes have later times, whatever the clocks say: the log orders writes by them.
    voted = string.format("%.0f", math.max(tonumber(now), tonumber(last_voted or "0") + 1))
    redis.call("HSET", internal(topic), "voted", voted)
    -- Tokens are unique, though tasks of this name come and go: ending one late must not end the next.
    -- Between two tokens there is room for those of claims.
    token = voted .. "00"
    redis.call("HSET", task, "n", token, "attempts", "1", "cursor", voted .. " " .. want)
    redis.call("ZADD", due, lease, task_name)
  end
end
local votes = had ~= want
return {changed = votes and 1 or 0, dirty = (votes or redis.call("ZSCORE", dirty, "t:" .. id)) and 1 or 0, fresh = fresh, voted = voted, token = token, kind = kind,
  topic = topic_fields}
