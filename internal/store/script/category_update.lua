-- Renames or describes a category.
-- KEYS category HASH      the category
-- KEYS names    HASH      folded name -> category
-- ARGV id       category  the category
-- ARGV fold     string    new folded name, "" to leave it unchanged
-- ARGV fields[] pair      fields to change
-- Returns  1
-- Errors   NOT_FOUND categoryId, TAKEN name
local old = redis.call("HGET", category, "fold")
if not old then
  return redis.error_reply("NOT_FOUND categoryId")
end
if fold ~= "" and fold ~= old then
  if redis.call("HEXISTS", names, fold) == 1 then
    return redis.error_reply("TAKEN name")
  end
  redis.call("HDEL", names, old)
  redis.call("HSET", names, fold, id)
  redis.call("HSET", category, "fold", fold)
end
if #fields > 0 then
  redis.call("HSET", category, unpack(fields))
end
return 1
