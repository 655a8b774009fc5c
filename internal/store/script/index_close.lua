-- Closes a category's index for good if it is empty.
-- KEYS[1]  STRING  there when the index takes no more entries
-- KEYS[2]  ZSET    one of its orders
-- Returns  1 when it is closed, 0 when it has entries
if redis.call("EXISTS", KEYS[1]) == 1 then
  return 1
end
if redis.call("ZCARD", KEYS[2]) > 0 then
  return 0
end
redis.call("SET", KEYS[1], "1")
return 1
