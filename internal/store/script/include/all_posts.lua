-- Lets the scripts that moderate a topic or comment carry out an act on all posts of a user, which was recorded before.
-- A post remembers the latest of these acts that reached it. So repeating one, or being late with it, does not change
-- what was done since.
-- ARGV posts_act int  id of that act; 0 for an act on this post alone
-- ARGV undone    int  id of the act that it undoes; 0 for none

-- Notes that the act reaches a post, and reports whether it must leave it as it is: because it, or a later one, has
-- reached the post before, or because hid, the act that hid the post, is not the one that it undoes.
local function passes(post, hid)
  local reached = redis.call("HGET", internal(post), "postsAct")
  if reached and tonumber(reached) >= tonumber(posts_act) then
    return true
  end
  redis.call("HSET", internal(post), "postsAct", posts_act)
  return undone ~= "0" and hid ~= undone
end
