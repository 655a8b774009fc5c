-- Reads how long the texts of topics and comments are together. Changes nothing.
-- KEYS posts[]  HASH  the topics and comments, of one partition
-- Returns  the length in bytes
local bytes = 0
for i = 1, #posts do
  bytes = bytes + redis.call("HSTRLEN", posts[i], "content")
end
return bytes
