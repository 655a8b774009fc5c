-- Marks a user's notifications of comments on a topic that the user watches as read, as far as the comments are no later
-- than a time.
local function read_watched(user, unread, notes, topic, last, now)
  local read, about = {}, "^WATCH:" .. topic .. " .* (%d+)$"
  for _, seq in ipairs(redis.call("ZRANGE", unread, 0, -1)) do
    local at = string.match(redis.call("HGET", notes, seq) or "", about)
    if at and tonumber(at) <= last then
      read[#read + 1] = seq
    end
  end
  if #read > 0 then
    redis.call("ZREM", unread, unpack(read))
    count_read(user, now, #read == 1 and read[1] or "0")
  end
end
