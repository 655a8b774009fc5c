-- Records that all posts of a user are hidden, lists these posts, and arms the task that hides them: listed topics, then
-- live comments, the latest first.
-- INCLUDE creation act role rank sanction arm
-- KEYS user      HASH    the user
-- KEYS profile   ZSET    the user's listed topics
-- KEYS comments  ZSET    the user's live comments
-- KEYS due       ZSET    due tasks of the partition
-- KEYS task      HASH    the task
-- ARGV user_id   user    the user
-- ARGV since     time    earlier posts stay; 0 for none
-- ARGV most      int     maximum number of posts
-- ARGV life      millis  how long the list of the posts is kept
-- ARGV task_name string  name of the task
-- RETURN act     string  id of the act; "0" if there is nothing to hide
-- RETURN hides   int     how many posts are listed
-- RETURN left    int     how many are not, because there are too many
-- Errors   NOT_FOUND if there is no such account, RANK if the user's role is not lower than the moderator's, BUSY if such a
--          task is not done yet, EXHAUSTED
local refused = may_act_on(user, act_at)
if refused then
  return refused
end
if redis.call("EXISTS", task) == 1 then
  return redis.error_reply("BUSY userId")
end
local posts, left = {}, 0
local function find(letter, list)
  local members = redis.call("ZREVRANGEBYSCORE", list, "+inf", since, "LIMIT", 0, tonumber(most) - #posts)
  left = left + redis.call("ZCOUNT", list, since, "+inf") - #members
  for _, member in ipairs(members) do
    posts[#posts + 1] = letter .. string.format("%d", tonumber(string.sub(member, 12), 16))
  end
end
find("t", profile)
find("c", comments)
if #posts == 0 then
  return {act = "0", hides = 0, left = 0}
end
local _, act, key = new_entity()
if not act then
  return redis.error_reply("EXHAUSTED")
end
record_act(act, key, "HIDE_POSTS", "u" .. user_id, user_id, #posts .. " " .. since)
for place, post in ipairs(posts) do
  redis.call("ZADD", key .. ":posts", place, post)
end
redis.call("PEXPIRE", key .. ":posts", life)
redis.call("HSET", internal(user), "postsAct", act)
arm(user, task, "", "0", due, act_at, task_name)
return {act = act, hides = #posts, left = left}
