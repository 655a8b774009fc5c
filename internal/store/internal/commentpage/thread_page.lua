-- Reads a page of a topic's comments as a tree: each comment is followed by its replies. Changes nothing.
-- KEYS comments    ZSET        all comments of the topic
-- KEYS replies     ZSET        its top-level comments
-- ARGV prefix      string      prefix of comments of the partition
-- ARGV topic_id    topic       the topic
-- ARGV after       comment     the comment after which the page begins; 0 for none
-- ARGV newest      flag        whether the highest number comes first among siblings
-- ARGV deepest     int:number  maximum depth
-- ARGV most        int:number  maximum number of rows
-- RETURN known     flag        whether the comment after which the page begins is in the tree
-- RETURN total     int         comments of the topic, at all depths
-- RETURN more      flag        whether more rows follow
-- RETURN rows      scored      the rows
local function replies_to(id)
  return prefix .. id .. ":replies"
end

-- The stack has a level for each depth: the list of siblings, the number of the last one visited, and siblings
-- that were read ahead, each followed by its number, from position next.
local stack = {}
local function push(list, last)
  stack[#stack + 1] = {list = list, last = last, ahead = {}, next = 1}
end

local function siblings(level, count)
  if newest then
    return redis.call("ZREVRANGEBYSCORE", level.list, level.last and "(" .. level.last or "+inf", "-inf",
      "WITHSCORES", "LIMIT", 0, count)
  end
  return redis.call("ZRANGEBYSCORE", level.list, level.last and "(" .. level.last or "-inf", "+inf",
    "WITHSCORES", "LIMIT", 0, count)
end

local path, id = {}, after
while id ~= "0" do
  local of, parent, number, depth = unpack(redis.call("HMGET", prefix .. id, "topic", "parent", "floor", "depth"))
  if of ~= topic_id or tonumber(depth) > deepest then
    return {known = 0, total = 0, more = 0, rows = {}}
  end
  table.insert(path, 1, {id = id, number = number})
  id = parent
end
push(replies, path[1] and path[1].number)
for i = 1, #path do
  if i <= deepest then
    push(replies_to(path[i].id), path[i + 1] and path[i + 1].number)
  end
end

local rows, count, more = {}, 0, 0
while #stack > 0 do
  local level = stack[#stack]
  if level.next > #level.ahead then
    level.ahead, level.next = siblings(level, math.min(most + 1 - count, 20)), 1
  end
  local id, number = level.ahead[level.next], level.ahead[level.next + 1]
  if not id then
    stack[#stack] = nil
  elseif count == most then
    more = 1
    break
  else
    rows[#rows + 1], rows[#rows + 2], count = id, number, count + 1
    level.last, level.next = number, level.next + 2
    if #stack <= deepest then
      push(replies_to(id))
    end
  end
end
return {known = 1, total = redis.call("ZCARD", comments), more = more, rows = rows}
