-- Reads the text of a topic or comment. A short one is in its hash, a long one in a string of its own, which begins with
-- the number of the revision and a line feed. Returns "" if there is none.
local function text_of(post)
  local content, long = unpack(redis.call("HMGET", post, "content", "long"))
  if long then
    return string.match(redis.call("GET", post .. ":text") or "", "^%d+\n(.*)$") or ""
  end
  return content or ""
end
