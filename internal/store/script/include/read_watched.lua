-- Withholds a user's notifications of comments on a topic that the user watches, as far as the comments are no later than a
-- time, because the topic is hidden; gives them back because it is not any more; or marks them as read because the user
-- does not watch it: how is "hidden", "listed" or "ended".
-- INCLUDE row
local function read_watched(user, unread, notes, topic, last, how, now)
  local why, wanted, numbers = withheld_in(notes), {}, redis.call("ZRANGE", unread, 0, -1)
  for seq in pairs(why) do
    numbers[#numbers + 1] = seq
  end
  for _, seq in ipairs(numbers) do
    local note = read_row(ROWS.note, redis.call("HGET", notes, seq))
    if note and note.reason == "WATCH:" .. topic and tonumber(note.created) <= last then
      local of_comment = (why[seq] or 0) % 2
      wanted[seq] = how ~= "ended" and of_comment + (how == "hidden" and 2 or 0)
    end
  end
  withhold(user, unread, notes, wanted, now)
end
