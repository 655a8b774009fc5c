-- Deletes a list of users. The users' slots are left to a task.
-- INCLUDE arm despite_full event
-- KEYS list      HASH    the list
-- KEYS members   ZSET    the users on it
-- KEYS owner     HASH    the owner
-- KEYS due       ZSET    due tasks of the partition
-- KEYS task      HASH    the task that updates the users' slots
-- KEYS lists     ZSET    the owner's lists
-- KEYS names     HASH    folded name -> list
-- ARGV id        list    the list
-- ARGV viewer    user    the viewer
-- ARGV now       int     now, Unix µs
-- ARGV lease     time    end of the caller's lease of the task
-- ARGV task_name string  name of the task
-- RETURN token   string  the task's fencing token
-- RETURN users   string  ids of the users that the task covers
-- Errors   NOT_FOUND if it is not the viewer's
local list_owner, fold = unpack(redis.call("HMGET", list, "owner", "fold"))
if list_owner ~= viewer then
  return redis.error_reply("NOT_FOUND listId")
end
local ltime = tonumber(redis.call("HGET", internal(owner), "ltime") or "0")
despite_full(lists)
redis.call("HSET", internal(owner), "ltime", string.format("%.0f", math.max(tonumber(now), ltime + 1)))
local cursor = table.concat(redis.call("ZRANGE", members, 0, -1), " ") .. " " .. (redis.call("HGET", task, "cursor") or "")
local token = arm(owner, task, cursor, "1", due, lease, task_name)
redis.call("DEL", list, members)
event(list .. ":ev", 1, "X", "")
redis.call("ZREM", lists, id)
if redis.call("HGET", names, fold) == id then
  redis.call("HDEL", names, fold)
end
return {token = token, users = cursor}
