-- Adds an event to a stream and wakes its watchers, if the stream is watched.
local function event(stream, kept, kind, member)
  if redis.call("EXISTS", stream) == 1 then
    redis.call("XADD", stream, "MAXLEN", "~", kept, "*", "k", kind, "m", member, "o", "")
    redis.call("PUBLISH", stream, "")
  end
end
