-- Records that the posts which an act has hidden are restored, and arms the task that restores them. It takes the place of
-- the task that hides them, if that is not done yet.
-- INCLUDE creation act role rank arm
-- KEYS user         HASH    the user; the account may have been deleted
-- KEYS undone       HASH    the act
-- KEYS due          ZSET    due tasks of the partition
-- KEYS task         HASH    the task
-- ARGV user_id      user    the user
-- ARGV undone_id    string  id of the act
-- ARGV hidden_since time    what was hidden before can no longer be restored
-- ARGV task_name    string  name of the task
-- RETURN act        string  id of the act that restores
-- Errors   RANK if the user's role is not lower than the moderator's, CHANGED if the act was undone, or too long ago,
--          BUSY if the task of another act is not done yet, EXHAUSTED
if not outranks(role_at(user, rank_at)) then
  return redis.error_reply("RANK userId")
end
local by, at, detail = unpack(redis.call("HMGET", undone, "reversedBy", "created", "detail"))
if by or not at or tonumber(at) < tonumber(hidden_since) then
  return redis.error_reply("CHANGED actId")
end
if redis.call("EXISTS", task) == 1 and redis.call("HGET", internal(user), "postsAct") ~= undone_id then
  return redis.error_reply("BUSY actId")
end
local _, act, key = new_entity()
if not act then
  return redis.error_reply("EXHAUSTED")
end
record_act(act, key, "RESTORE_POSTS", "u" .. user_id, user_id, detail, undone_id)
redis.call("HSET", internal(user), "postsAct", act)
arm(user, task, "", "0", due, act_at, task_name)
return {act = act}
