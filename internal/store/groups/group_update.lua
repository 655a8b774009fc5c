-- Renames or describes a group.
-- KEYS group     HASH    the group
-- KEYS names     HASH    folded name -> group
-- ARGV id        group   the group
-- ARGV name      string  new name, "" to leave it unchanged
-- ARGV fold      string  new folded name
-- ARGV described string  new description, "=" and the text, "" to leave it unchanged
-- RETURN changed flag    whether anything changed
-- Errors   NOT_FOUND group, TAKEN name
local old = redis.call("HGET", internal(group), "fold")
if not old then
  return redis.error_reply("NOT_FOUND group")
end
if name ~= "" and fold ~= old and redis.call("HEXISTS", names, fold) == 1 then
  return redis.error_reply("TAKEN name")
end
local before = redis.call("HMGET", group, "name", "description")
local changed = false
if name ~= "" and name ~= before[1] then
  redis.call("HDEL", names, old)
  redis.call("HSET", names, fold, id)
  redis.call("HSET", group, "name", name)
  redis.call("HSET", internal(group), "fold", fold)
  changed = true
end
if described ~= "" and string.sub(described, 2) ~= before[2] then
  redis.call("HSET", group, "description", string.sub(described, 2))
  changed = true
end
return {changed = changed}
