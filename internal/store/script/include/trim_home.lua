-- Trims a home to its latest topics. Returns the latest topic removed, in the form of watermarks, or nil if
-- none was.
local function trim_home(home, most)
  local over = redis.call("ZCARD", home) - tonumber(most)
  if over > 0 then
    local member, created = unpack(redis.call("ZRANGE", home, over - 1, over - 1, "WITHSCORES"))
    redis.call("ZREMRANGEBYRANK", home, 0, over - 1)
    return string.format("%011x", tonumber(created)) .. member
  end
end
