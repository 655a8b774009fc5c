-- Counts the votes of others on what a user posted. A subject is a topic or comment.

local function karma_of(subject)
  local up, down, own = unpack(redis.call("HMGET", subject, "up", "down", "own"))
  return tonumber(up or "0") - tonumber(down or "0") - tonumber(own or "0")
end

local function add_karma(user, n)
  if n ~= 0 and redis.call("HGET", user, "state") == "ACTIVE" then
    redis.call("HINCRBY", user, "karma", string.format("%d", n))
  end
end

-- Notes how the author votes on what they posted, which never counts.
local function set_own(subject, want)
  if want == "NONE" then
    redis.call("HDEL", subject, "own")
  else
    redis.call("HSET", subject, "own", want == "UP" and "1" or "-1")
  end
end
