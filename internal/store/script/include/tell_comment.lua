-- Arms the tasks that notify users of a comment. to has the authors of its topic and parent, whether others are
-- mentioned, the prefix of tasks, the due tasks, the end of the lease, the topic's watchers and how many of these to
-- return. Returns the token of the first task, that of the second one, "0" for none, and watchers.
local function tell_comment(comment, id, author, to)
  local token, watch_token = "0", "0"
  if to.mentions or (to.host ~= "0" and to.host ~= author) or (to.answered ~= "0" and to.answered ~= author) then
    token = notify(comment, to.tasks, "n:c" .. id, to.due, to.lease)
  end
  local watching = redis.call("ZRANGE", to.watchers, 0, to.at_once)
  if #watching > 0 then
    local name = "w:" .. id
    watch_token = arm(comment, to.tasks .. name, "", "1", to.due, to.lease, name)
  end
  return token, watch_token, watching
end
