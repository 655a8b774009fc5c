-- Arms the task that notifies all users whom a new comment or topic concerns, and returns its fencing
-- token: the first of those that arm returns later. The comment or topic has the fields tell and armed, all and 1.
local function notify(tasks, name, due, at)
  redis.call("HSET", tasks .. name, "n", "1000", "attempts", "1", "cursor", "")
  redis.call("ZADD", due, at, name)
  return "1000"
end
