-- Trims a home to its latest topics. Returns the latest of those that it lost, written as
-- watermarks are, or nil when it lost none.
local function trim_home(home, most)
  local over = redis.call("ZCARD", home) - tonumber(most)
  if over > 0 then
    local member, created = unpack(redis.call("ZRANGE", home, over - 1, over - 1, "WITHSCORES"))
    redis.call("ZREMRANGEBYRANK", home, 0, over - 1)
    return string.format("%011x", tonumber(created)) .. member
  end
end
