-- Has homes of a partition refuse states of a topic: any in which it is open for the bar
-- "d", those before a revision for a number. A bar never falls.
local function set_fence(fence, topic, refuse, expires)
  local least = redis.call("HGET", fence, topic)
  if not least or (least ~= "d" and (refuse == "d" or tonumber(least) < tonumber(refuse))) then
    redis.call("HSET", fence, topic, refuse)
    redis.call("EXPIREAT", fence, expires)
  end
end
