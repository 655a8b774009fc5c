-- Arms the tasks that notify users of a comment.

-- Reports whether a comment concerns others: the authors of its topic and parent, or those whom it mentions.
local function concerns_others(author, topic_author, answered, mentions)
  return mentions or (topic_author ~= "0" and topic_author ~= author) or (answered ~= "0" and answered ~= author)
end

-- to has whether the comment concerns others, and has the fields that notify needs, the prefix of tasks, the due tasks,
-- the end of the lease, the topic's watchers and how many of these to return. Returns the token of the task that notifies
-- those others, that of the one for watchers, "0" for none, and watchers.
local function notify_of_comment(comment, id, to)
  local token, watch_token = "0", "0"
  if to.others then
    token = notify(to.tasks, "n:c" .. id, to.due, to.lease)
  end
  local watching = redis.call("ZRANGE", to.watchers, 0, to.at_once)
  if #watching > 0 then
    local name = "w:" .. id
    watch_token = arm(comment, to.tasks .. name, "", "1", to.due, to.lease, name)
  end
  return token, watch_token, watching
end
