-- Renames, describes or moves a category.
-- INCLUDE section_place changed
-- KEYS category   HASH      the category
-- KEYS names      HASH      folded name -> category
-- KEYS categories ZSET      all categories
-- KEYS shown      ZSET      the tabs that show it
-- KEYS tabs[].of  ZSET      the categories of a tab that shows it
-- ARGV id         category  the category
-- ARGV fold       string    new folded name, "" to leave it unchanged
-- ARGV position   string    new position, "" to leave it unchanged; only then may tabs be missing
-- ARGV tabs[].id  tab       the tab; in their order in shown
-- ARGV fields[]   pair      fields to change
-- Returns  1, or 0 if the tabs that show it differ from those that the caller read
-- Errors   NOT_FOUND category, TAKEN name
local old = redis.call("HGET", category, "fold")
if not old then
  return redis.error_reply("NOT_FOUND category")
end
if fold ~= "" and fold ~= old and redis.call("HEXISTS", names, fold) == 1 then
  return redis.error_reply("TAKEN name")
end
if position ~= "" then
  local now = redis.call("ZRANGE", shown, 0, -1)
  if #now ~= #tabs then
    return 0
  end
  for i = 1, #tabs do
    if now[i] ~= tabs[i].id then
      return 0
    end
  end
end
if fold ~= "" and fold ~= old then
  redis.call("HDEL", names, old)
  redis.call("HSET", names, fold, id)
  redis.call("HSET", category, "fold", fold)
end
if #fields > 0 then
  redis.call("HSET", category, unpack(fields))
end
if position ~= "" then
  local score = place(position, id)
  redis.call("HSET", category, "position", position)
  redis.call("ZADD", categories, score, id)
  for i = 1, #tabs do
    redis.call("ZADD", tabs[i].of, score, id)
  end
end
changed(category)
return 1
