-- Arms the task that notifies users whom a comment or topic mentions now and did not before. Returns its
-- fencing token, "0" if there are none.
local function notify_mentioned(subject, author, before, task, due, at, name)
  local fresh = ""
  for user in string.gmatch(redis.call("HGET", subject, "mentions") or "", ":(%d+)") do
    if user ~= author and not string.find((before or "") .. " ", ":" .. user .. " ", 1, true) then
      fresh = fresh .. user .. " "
    end
  end
  if fresh == "" then
    return "0"
  end
  local pending = redis.call("HGET", internal(subject), "tell")
  if pending ~= "all" then
    redis.call("HSET", internal(subject), "tell", (pending or "") .. fresh)
  end
  return arm(subject, task, "", "1", due, at, name)
end
