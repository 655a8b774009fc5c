-- Renames, describes or moves a category.
-- INCLUDE changed creation act revert outdated_act section_act section_place
-- KEYS category   HASH      the category
-- KEYS names      HASH      folded name -> category
-- KEYS categories ZSET      all categories
-- KEYS shown      ZSET      the tabs that show it
-- KEYS tabs[].of  ZSET      the categories of a tab that shows it
-- ARGV id         category  the category
-- ARGV fold       string    new folded name, "" to leave it unchanged
-- ARGV named      string    new name, "" to leave it unchanged
-- ARGV described  string    new description, "=" and the text, "" to leave it unchanged
-- ARGV position   string    new position, "" to leave it unchanged; only then may tabs be missing
-- ARGV tabs[].id  tab       the tab; in their order in shown
-- RETURN done     flag      false if the tabs that show it differ from those that the caller read
-- RETURN recorded string    id of the act; "0" for none
-- Errors   NOT_FOUND category, TAKEN name, CHANGED
local old = redis.call("HGET", internal(category), "fold")
if not old then
  return redis.error_reply("NOT_FOUND category")
end
local before = redis.call("HMGET", category, "name", "description", "position")
local name, description, place_now = before[1], before[2] or "", before[3] or "0"
local outdated = outdated_act({name = name, ["description"] = description, position = place_now})
if outdated then
  return outdated
end
if fold ~= "" and fold ~= old and redis.call("HEXISTS", names, fold) == 1 then
  return redis.error_reply("TAKEN name")
end
if position ~= "" then
  local now = redis.call("ZRANGE", shown, 0, -1)
  if #now ~= #tabs then
    return {done = false, recorded = "0"}
  end
  for i = 1, #tabs do
    if now[i] ~= tabs[i].id then
      return {done = false, recorded = "0"}
    end
  end
end
local act, key = new_change()
local function set(field, from, to)
  change(field, from, to)
  redis.call("HSET", category, field, to)
end
if fold ~= "" and fold ~= old then
  redis.call("HDEL", names, old)
  redis.call("HSET", names, fold, id)
  redis.call("HSET", internal(category), "fold", fold)
end
if named ~= "" then
  set("name", name, named)
end
if described ~= "" then
  set("description", description, string.sub(described, 2))
end
if position ~= "" then
  set("position", place_now, position)
  local score = place(position, id)
  redis.call("ZADD", categories, score, id)
  for i = 1, #tabs do
    redis.call("ZADD", tabs[i].of, score, id)
  end
end
if any_change() then
  changed(nil, category, "SECTION")
end
return {done = true, recorded = record_change(act, key, "UPDATE_CATEGORY", "k" .. id, category)}
