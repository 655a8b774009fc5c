-- Moves a user's vote between those up and those down.
local function vote_of(upvoters, downvoters, user)
  if redis.call("ZSCORE", upvoters, user) then
    return "UP"
  elseif redis.call("ZSCORE", downvoters, user) then
    return "DOWN"
  end
  return "NONE"
end

-- Returns the set that the vote is in now, nil for none.
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
