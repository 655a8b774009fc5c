-- Marks a user's notifications of comments on a topic that the user watches as read, as far as the comments are no later
-- than a time.
-- INCLUDE row
local function read_watched(user, unread, notes, topic, last, now)
  local read = {}
  for _, seq in ipairs(redis.call("ZRANGE", unread, 0, -1)) do
    local note = read_row(ROWS.note, redis.call("HGET", notes, seq))
    if note and note.reason == "WATCH:" .. topic and tonumber(note.created) <= last then
      read[#read + 1] = seq
    end
  end
  if #read > 0 then
    redis.call("ZREM", unread, unpack(read))
    count_read(user, now, #read == 1 and read[1] or "0")
  end
end
