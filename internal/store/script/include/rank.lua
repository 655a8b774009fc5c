-- Reports whether the caller, who moderates a category, may act on what a user posted there: the user must be of lower
-- rank. Moderators of the category are between members and moderators of the site.
-- ARGV standing int:number rank of the caller: 2 moderator of categories, 3 moderator, 4 administrator,
--                          5 the task that carries out what one of them may
-- ARGV rank_at time        now

-- role is the user's, its the ids of the categories that the user moderates, category that of the post, nil for none.
local function outranks(role, its, category)
  local rank = ({USER = 1, MODERATOR = 3, ADMIN = 4})[role or ""] or 0
  if category and string.find(" " .. (its or "") .. " ", " " .. category .. " ", 1, true) then
    rank = math.max(rank, 2)
  end
  return standing > rank
end

-- Is outranks for what the user with a key posted.
local function outranks_user(user, category)
  return outranks(role_at(user, rank_at), redis.call("HGET", user, "moderates"), category)
end
