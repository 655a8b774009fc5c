-- Counts the votes of others on what a user posted. A subject is a topic or comment.

-- Returns the karma of votes, given the counts and the author's own vote.
local function net_of(up, down, own)
  return tonumber(up or "0") - tonumber(down or "0") - tonumber(own or "0")
end

local function karma_of(subject)
  local up, down = unpack(redis.call("HMGET", subject, "up", "down"))
  return net_of(up, down, redis.call("HGET", internal(subject), "own"))
end

local function add_karma(user, n)
  if n ~= 0 and redis.call("HGET", user, "state") == "ACTIVE" then
    redis.call("HINCRBY", internal(user), "karma", string.format("%d", n))
  end
end

-- Notes how the author votes on what they posted, which never counts. Returns what it noted, nil for nothing.
local function set_own(subject, want)
  if want == "NONE" then
    redis.call("HDEL", internal(subject), "own")
    return
  end
  local own = want == "UP" and "1" or "-1"
  redis.call("HSET", internal(subject), "own", own)
  return own
end
