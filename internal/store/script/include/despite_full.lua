-- Lets a script write although Redis is full, because it makes data smaller, or follows what was written before. Redis
-- refuses commands that may need memory until the first write of a script: this one, which changes nothing, needs none.
local function despite_full(sorted_set)
  redis.call("ZREM", sorted_set, "")
end
