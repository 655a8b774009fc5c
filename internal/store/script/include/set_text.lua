-- Writes the text of a topic or comment.
-- ARGV short int  maximum length of a text in the hash of its post, bytes

-- Sets the text of a post, which is that of a revision.
local function set_text(post, revision, content)
  if #content > tonumber(short) then
    redis.call("SET", post .. ":text", revision .. "\n" .. content)
    redis.call("HSET", post, "long", string.format("%d", #content))
    redis.call("HDEL", post, "content")
  else
    redis.call("HSET", post, "content", content)
    redis.call("HDEL", post, "long")
    redis.call("DEL", post .. ":text")
  end
end
