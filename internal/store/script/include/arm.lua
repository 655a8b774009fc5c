-- Arms a task of an entity and returns its fencing token. Tokens are unique, though tasks of a name come
-- and go: ending one late must not end the next. Between two tokens there is room for those of claims.
local function arm(entity, task, cursor, attempts, due, at, name)
  local token = string.format("%.0f", math.max(1000 * redis.call("HINCRBY", internal(entity), "armed", 1),
    tonumber(redis.call("HGET", task, "n") or "0") + 1))
  redis.call("HSET", task, "n", token, "attempts", attempts, "cursor", cursor)
  redis.call("ZADD", due, at, name)
  return token
end
