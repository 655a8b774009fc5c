-- Sets or ends an edge of a user: a follow, a block, a bookmark, the watching of a topic. The user's side is the truth; the reverse side
-- is left to a task.
-- INCLUDE event arm note_reads withhold read_watched banned
-- KEYS user      HASH    the user
-- KEYS edges      ZSET    the user's side, by time (Unix µs)
-- KEYS due       ZSET    due tasks of the partition
-- KEYS task      HASH    the task that writes the reverse side
-- KEYS blocked   ZSET    users that the user has blocked
-- KEYS blockers  ZSET    users who have blocked the user
-- KEYS events    STREAM  events of the bookmarks; exists only while watched
-- KEYS unread    ZSET    numbers of the user's notifications that were not marked as read
-- KEYS notes     HASH    the notifications' contents by number, and their numbers by subject
-- KEYS hidden?   ZSET    bookmarks of hidden topics; only of a bookmark
-- ARGV member    string  member of the user's side
-- ARGV op        string  "1" to set the edge, "0" to end it, "b" to end it if there is a block, "d" to end
--                         it without a task: the target is deleted, and the caller updates the reverse side
-- ARGV now       int     now, Unix µs
-- ARGV lease     time    end of the caller's lease of the task
-- ARGV task_name string  name of the task
-- ARGV counter   string  field of the user that counts the side, "" for none
-- ARGV other     string  user with whom there must be no block, "" for none
-- ARGV most      string  maximum number of entries of the user's side, "" for any number
-- ARGV full      string  error if there are more
-- ARGV watched   flag    whether the edge is the watching of a topic: with its end, what it notified of is read
-- ARGV posts    flag    whether a ban keeps its user from setting such edges
-- ARGV home      flag    whether such edges affect the home
-- ARGV cursor    string  cursor of the task
-- ARGV kept      int     approximate number of events that a stream keeps
-- RETURN changed flag    whether it changed
-- RETURN time    string  when the edge was set, or otherwise the user's last edge change, Unix µs
-- RETURN token   string  the task's fencing token, "0" if there is none
-- Errors   UNAUTHENTICATED if the account is not active, BLOCKED, BANNED,
--          TOO_LONG_BOOKMARKS, TOO_LONG_WATCHED
local state = redis.call("HGET", user, "state")
local account = internal(user)
local etime = tonumber(redis.call("HGET", account, "etime") or "0")
if state ~= "ACTIVE" then
  if op == "1" then
    return redis.error_reply("UNAUTHENTICATED")
  end
  return {changed = 0, time = string.format("%.0f", etime), token = "0"}
end
local since = redis.call("ZSCORE", edges, member)
local blocking = other ~= "" and (redis.call("ZSCORE", blocked, other) or redis.call("ZSCORE", blockers, other))
local set = op == "1"
if (since ~= false) == set or (op == "b" and not blocking) then
  return {changed = 0, time = string.format("%.0f", tonumber(since or etime)), token = "0"}
end
local refused = set and posts and banned(user, tonumber(now) / 1000)
if refused then
  return refused
end
if set and blocking then
  return redis.error_reply("BLOCKED targetId")
end
if set and most ~= "" and redis.call("ZCARD", edges) >= tonumber(most) then
  return redis.error_reply(full .. " topicId")
end

-- Each change has a later time than the one before, whatever the clocks say: the reverse side orders writes by
-- it.
local time = string.format("%.0f", math.max(tonumber(now), etime + 1))
if set then
  redis.call("ZADD", edges, time, member)
else
  redis.call("ZREM", edges, member)
  if hidden then
    redis.call("ZREM", hidden, member)
  end
end
redis.call("HSET", account, "etime", time)
if watched and not set then
  read_watched(user, unread, notes, member, math.huge, false, string.format("%.0f", math.floor(tonumber(now) / 1000)))
end
event(events, kept, set and "A" or "R", member)
if home then
  redis.call("HINCRBY", account, "homeEpoch", 1)
end
if counter ~= "" then
  redis.call("HSET", account, counter, redis.call("ZCARD", edges))
end
if op == "d" then
  return {changed = 1, time = time, token = "0"}
end
return {changed = 1, time = time, token = arm(user, task, cursor, "1", due, lease, task_name)}
