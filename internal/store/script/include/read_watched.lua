-- Withholds a user's notifications of comments on a topic that the user watches, as far as the comments are no later than a
-- time, or gives them back: new is as withhold takes it, or false because the user does not watch it any more.
-- INCLUDE row
local function read_watched(user, unread, notes, topic, last, new, now)
  local known, news, numbers = withheld_in(notes), {}, redis.call("ZRANGE", unread, 0, -1)
  for seq in pairs(known) do
    numbers[#numbers + 1] = seq
  end
  for _, seq in ipairs(numbers) do
    local note = read_row(ROWS.note, redis.call("HGET", notes, seq))
    if note and note.reason == "WATCH:" .. topic and tonumber(note.created) <= last then
      news[seq] = new
    end
  end
  withhold(user, unread, notes, news, now)
end
