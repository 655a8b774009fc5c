-- Removes the changes that all consumers of a slot have handled, and everything if there are none. Returns the letters of
-- what they follow.
-- INCLUDE row
local function trim_feed(consumers, feed)
  local all, kinds, least = redis.call("HGETALL", consumers), "", nil
  for i = 1, #all, 2 do
    local letters, is = string.match(all[i], "^(%a+):"), read_row(ROWS.consumer, all[i + 1])
    if letters and is then
      kinds = kinds .. letters
      if not least or tonumber(is.position) < tonumber(least) then
        least = is.position
      end
    end
  end
  if least then
    redis.call("ZREMRANGEBYSCORE", feed, "-inf", least)
  else
    redis.call("DEL", consumers, feed)
  end
  return kinds
end
