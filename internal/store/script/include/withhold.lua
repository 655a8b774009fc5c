-- A notification that was unread when what it is about was hidden is withheld: it counts as read, until that is restored.
-- The field withheld of the notes has these, as `number:why` with spaces between them; why is 1 if the comment is hidden or
-- the follower has gone, 2 if the topic is hidden, 3 if both are.

-- Returns why a user's notifications are withheld, by number.
local function withheld_in(notes)
  local why = {}
  for seq, reason in string.gmatch(redis.call("HGET", notes, "withheld") or "", "(%d+):(%d)") do
    why[seq] = tonumber(reason)
  end
  return why
end

-- Says of some notifications, those of wanted by number, why they are withheld: a number as above, 0 for no reason, or false
-- if what they are about is gone for good. Those that are read stay so. Returns how many changed from or to unread, and
-- publishes it.
local function withhold(user, unread, notes, wanted, now)
  local why, marked, one, dirty = withheld_in(notes), 0, "0", false
  for seq, reason in pairs(wanted) do
    local was = why[seq]
    if reason == 0 then
      if was and redis.call("HEXISTS", notes, seq) == 1 then
        marked, one = marked + redis.call("ZADD", unread, seq, seq), seq
      end
      reason = nil
    elseif redis.call("ZREM", unread, seq) == 1 then
      marked, one = marked + 1, seq
    elseif not was then
      reason = nil
    end
    why[seq] = reason or nil
    dirty = dirty or why[seq] ~= was
  end
  if dirty then
    local left = {}
    for seq, reason in pairs(why) do
      left[#left + 1] = seq .. ":" .. reason
    end
    table.sort(left)
    if #left > 0 then
      redis.call("HSET", notes, "withheld", table.concat(left, " "))
    else
      redis.call("HDEL", notes, "withheld")
    end
  end
  if marked > 0 then
    count_read(user, now, marked == 1 and one or "0")
  end
  return marked
end
