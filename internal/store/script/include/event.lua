-- Notes in a stream what happened, while the stream is watched, and wakes who watches it.
local function event(stream, kept, kind, member)
  if redis.call("EXISTS", stream) == 1 then
    redis.call("XADD", stream, "MAXLEN", "~", kept, "*", "k", kind, "m", member, "o", "")
    redis.call("PUBLISH", stream, "")
  end
end
