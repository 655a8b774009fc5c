-- Makes homes of a partition refuse states of a topic: with refuse "d" any in which it is open, with a
-- number those before that revision. A fence is never lowered.
local function set_fence(fence, topic, refuse, expires)
  local least = redis.call("HGET", fence, topic)
  if not least or (least ~= "d" and (refuse == "d" or tonumber(least) < tonumber(refuse))) then
    redis.call("HDEL", fence, topic) -- so that Redis, if it is full, does not refuse the next command
    redis.call("HSET", fence, topic, refuse)
    redis.call("EXPIREAT", fence, expires)
  end
end
