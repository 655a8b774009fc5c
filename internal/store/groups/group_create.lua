-- Creates a group.
-- KEYS numbers     STRING  sequence of groups
-- KEYS names       HASH    folded name -> group
-- KEYS all         ZSET    all groups
-- ARGV keys        string  prefix of group keys
-- ARGV name        string  name
-- ARGV fold        string  folded name
-- ARGV description string  description
-- ARGV now         time    now
-- ARGV most        int     maximum number of groups
-- RETURN id        group   its id
-- Errors   TAKEN name, TOO_LONG_SITE_GROUPS name
if redis.call("HEXISTS", names, fold) == 1 then
  return redis.error_reply("TAKEN name")
end
if redis.call("ZCARD", all) >= tonumber(most) then
  return redis.error_reply("TOO_LONG_SITE_GROUPS name")
end
local id = redis.call("INCR", numbers)
redis.call("HSET", keys .. id, "name", name, "description", description)
redis.call("HSET", internal(keys .. id), "fold", fold, "created", now)
redis.call("HSET", names, fold, id)
redis.call("ZADD", all, id, id)
return {id = id}
