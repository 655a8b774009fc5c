-- Reads or sets a user's vote.
local function vote_of(upvoters, downvoters, user)
  if redis.call("ZSCORE", upvoters, user) then
    return "UP"
  elseif redis.call("ZSCORE", downvoters, user) then
    return "DOWN"
  end
  return "NONE"
end

-- Replaces the vote that a user had. Returns the set that now has the vote, nil for none.
local function set_vote(upvoters, downvoters, user, had, want)
  if had ~= "NONE" then
    redis.call("ZREM", had == "UP" and upvoters or downvoters, user)
  end
  if want == "NONE" then
    return
  end
  local side = want == "UP" and upvoters or downvoters
  redis.call("ZADD", side, user, user)
  return side
end
