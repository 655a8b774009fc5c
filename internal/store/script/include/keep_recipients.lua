-- Notes in tell, as long as users may be being notified of a topic or comment, who they are, before it ends or mentions
-- others. others are ids of users to notify beside those it mentions, each followed by a space.
local function keep_recipients(subject, others)
  local pending, mentions = redis.call("HGET", internal(subject), "tell"), redis.call("HGET", subject, "mentions")
  if pending == "all" then
    for user in string.gmatch(mentions or "", ":(%d+)") do
      others = others .. user .. " "
    end
    redis.call("HSET", internal(subject), "tell", others)
  end
end
