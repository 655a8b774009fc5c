-- Ends the task that notifies watchers of a comment that was just posted. If that was deleted or hidden concurrently, the
-- task stays, and says so of the notifications.
-- INCLUDE arm listed
-- KEYS comment HASH   the comment
-- KEYS topic   HASH   its topic
-- KEYS task    HASH   the task
-- KEYS due     ZSET   due tasks of the partition
-- ARGV now     time   now
-- ARGV token   string fencing token of the holder; "" if there are other watchers
-- ARGV name    string name of the task
-- Returns  1; 0 if the task is no longer the holder's; 2 if the task stays
local deleted, state = unpack(redis.call("HMGET", comment, "deleted", "state"))
if deleted or state == "HIDDEN" or not listed(redis.call("HGET", topic, "state")) then
  arm(comment, task, "", "0", due, now, name)
  return 2
end
if redis.call("HGET", task, "n") ~= token then
  return 0
end
redis.call("DEL", task)
redis.call("ZREM", due, name)
return 1
