-- Reads how long the texts of topics and comments are. Changes nothing.
-- KEYS posts[]  HASH  the topics and comments, of one partition
-- Returns  the length of each in bytes
local lengths = {}
for i = 1, #posts do
  lengths[i] = redis.call("HSTRLEN", posts[i], "content")
end
return lengths
