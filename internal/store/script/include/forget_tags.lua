-- Removes the tags of a topic, whose names are the author's words. Their indexes are left to leftTags.
local function forget_tags(topic)
  local left = redis.call("HGET", internal(topic), "leftTags") or ""
  for tag in string.gmatch(redis.call("HGET", topic, "tags") or "", "(%d+) [^\n]+") do
    left = left .. tag .. " "
  end
  if left ~= "" then
    redis.call("HSET", internal(topic), "leftTags", left)
  end
  redis.call("HDEL", topic, "tags")
end
