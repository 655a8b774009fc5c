-- Closes a category's index for good if it is empty.
-- KEYS closed STRING  there when the index takes no more entries
-- KEYS order  ZSET    one of its orders
-- Returns  1 when it is closed, 0 when it has entries
if redis.call("EXISTS", closed) == 1 then
  return 1
end
if redis.call("ZCARD", order) > 0 then
  return 0
end
redis.call("SET", closed, "1")
return 1
