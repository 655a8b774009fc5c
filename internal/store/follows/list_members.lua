-- Adds users to a list and removes users from it. The users' slots are left to a task.
-- INCLUDE arm event
-- KEYS list      HASH    the list
-- KEYS members   ZSET    the users on it, by time (Unix µs)
-- KEYS owner     HASH    the owner
-- KEYS due       ZSET    due tasks of the partition
-- KEYS task      HASH    the task that updates the users' slots
-- KEYS blocked   ZSET    users that the owner has blocked
-- KEYS blockers  ZSET    users who have blocked the owner
-- ARGV viewer    user    the viewer
-- ARGV now       int     now, Unix µs
-- ARGV lease     time    end of the caller's lease of the task
-- ARGV task_name string  name of the task
-- ARGV most      int     maximum number of users on a list
-- ARGV add[]     user    the users to add
-- ARGV remove[]  user    the users to remove
-- RETURN token   string  the task's fencing token; "0" when nothing changed
-- RETURN users   string  ids of the users that the task covers
-- Errors   NOT_FOUND if it is not the viewer's, BLOCKED at the user in a block with the
--          owner, TOO_LONG_LIST
if redis.call("HGET", list, "owner") ~= viewer then
  return redis.error_reply("NOT_FOUND listId")
end
local come, go, seen = {}, {}, {}
for i = 1, #add do
  local user = add[i]
  if redis.call("ZSCORE", blocked, user) or redis.call("ZSCORE", blockers, user) then
    return redis.error_reply("BLOCKED add." .. string.format("%d", i - 1))
  end
  if not seen[user] and not redis.call("ZSCORE", members, user) then
    seen[user] = true
    come[#come + 1] = user
  end
end
for i = 1, #remove do
  local user = remove[i]
  if not seen[user] and redis.call("ZSCORE", members, user) then
    seen[user] = true
    go[#go + 1] = user
  end
end
if #come > 0 and redis.call("ZCARD", members) + #come - #go > tonumber(most) then
  return redis.error_reply("TOO_LONG_LIST add")
end
if #come + #go == 0 then
  return {token = "0", users = ""}
end

local ltime = tonumber(redis.call("HGET", internal(owner), "ltime") or "0")
local time = math.max(tonumber(now), ltime + 1)
for _, user in ipairs(go) do
  redis.call("ZREM", members, user)
end
for i, user in ipairs(come) do
  redis.call("ZADD", members, string.format("%.0f", time + i), user)
end
redis.call("HSET", internal(owner), "ltime", string.format("%.0f", time + #come))
local cursor = table.concat(come, " ") .. " " .. table.concat(go, " ") .. " " .. (redis.call("HGET", task, "cursor") or "")
local token = arm(owner, task, cursor, "1", due, lease, task_name)
event(list .. ":ev", 1, "X", "")
return {token = token, users = cursor}
