-- Removes the tags of a topic, whose names are the author's words. Their indexes are left to leftTags. Returns the word
-- with which changed says so; nil if it had none.
local function forget_tags(topic)
  local left, said = redis.call("HGET", internal(topic), "leftTags") or "", "TAGS"
  for tag in string.gmatch(redis.call("HGET", topic, "tags") or "", "(%d+) [^\n]+") do
    left, said = left .. tag .. " ", said .. ":" .. tag
  end
  if left ~= "" then
    redis.call("HSET", internal(topic), "leftTags", left)
  end
  redis.call("HDEL", topic, "tags")
  return said ~= "TAGS" and said or nil
end
