-- Reads or sets a user's vote.
local function vote_of(upvoters, downvoters, user)
  if redis.call("ZSCORE", upvoters, user) then
    return "UP"
  elseif redis.call("ZSCORE", downvoters, user) then
    return "DOWN"
  end
  return "NONE"
end

-- Sets a user's vote. Returns the set that now has the vote, nil for none.
local function set_vote(upvoters, downvoters, user, want)
  redis.call("ZREM", upvoters, user)
  redis.call("ZREM", downvoters, user)
  if want == "NONE" then
    return
  end
  local side = want == "UP" and upvoters or downvoters
  redis.call("ZADD", side, user, user)
  return side
end
