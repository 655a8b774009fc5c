-- Moves a topic to another category. The old category's index holds the topic until the move has been written there;
-- left records that in case this process dies before. Its audience follows before its lists do.
local function move_topic(topic, id, old_category, category, old_left)
  local left = old_left or ""
  if old_category ~= "0" then
    left = left .. old_category .. " "
  end
  redis.call("HSET", topic, "category", category)
  redis.call("HDEL", internal(topic), "pinCategory", "pinCategoryAct", "epoch")
  redis.call("HSET", internal(topic), "left", left, "fan", redis.call("HINCRBY", internal(topic), "rev", 1))
end
