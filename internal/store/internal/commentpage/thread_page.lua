-- Reads a page of a topic's comments as a tree: each comment is followed by its replies. Changes nothing.
-- KEYS comments    ZSET        all comments of the topic
-- KEYS replies     ZSET        its top-level comments
-- ARGV prefix      string      prefix of comments of the partition
-- ARGV topic_id    topic       the topic
-- ARGV after       comment     the comment after which the page begins; 0 for none
-- ARGV around      int:number  number of the comment that the page is at, or of a later one; 0 for none
-- ARGV newest      flag        whether the highest number comes first among siblings
-- ARGV deepest     int:number  maximum depth
-- ARGV most        int:number  maximum number of rows
-- RETURN known     flag        whether the comment after which the page begins is in the tree
-- RETURN total     int         comments of the topic, at all depths
-- RETURN more      flag        whether more rows follow
-- RETURN rows      scored      the rows
-- RETURN gaps      strings     those of the rows of a page at a comment before which rows are left out
local function replies_to(id)
  return prefix .. id .. ":replies"
end

-- siblings returns those that follow a number in a list, or precede it if backward, each followed by its number.
local function siblings(list, number, count, backward)
  if newest ~= (backward or false) then
    return redis.call("ZREVRANGEBYSCORE", list, number and "(" .. number or "+inf", "-inf",
      "WITHSCORES", "LIMIT", 0, count)
  end
  return redis.call("ZRANGEBYSCORE", list, number and "(" .. number or "-inf", "+inf",
    "WITHSCORES", "LIMIT", 0, count)
end

-- A stack has a level for each depth: the list of siblings, the number of the last one visited, and siblings that were
-- read ahead, each followed by its number, from position next.
local function push(stack, depth, list, last)
  if depth <= deepest then
    stack[#stack + 1] = {depth = depth, list = list, last = last, ahead = {}, next = 1}
  end
end

-- follow returns the next rows of the tree, and whether there are more.
local function follow(stack, limit)
  local rows = {}
  while #stack > 0 do
    local level = stack[#stack]
    if level.next > #level.ahead then
      level.ahead, level.next = siblings(level.list, level.last, math.min(limit + 1 - #rows / 2, 20)), 1
    end
    local id, number = level.ahead[level.next], level.ahead[level.next + 1]
    if not id then
      stack[#stack] = nil
    elseif #rows == 2 * limit then
      return rows, true
    else
      rows[#rows + 1], rows[#rows + 2] = id, number
      level.last, level.next = number, level.next + 2
      push(stack, level.depth + 1, replies_to(id))
    end
  end
  return rows, false
end

-- climb returns a comment's ancestors and the comment, the top of the tree first; nil if it is not of the topic.
local function climb(id)
  local path = {}
  while id ~= "0" do
    local of, parent, number = unpack(redis.call("HMGET", prefix .. id, "topic", "parent", "floor"))
    if of ~= topic_id then
      return nil
    end
    table.insert(path, 1, {id = id, number = number})
    id = parent
  end
  for depth, comment in ipairs(path) do
    comment.list = depth == 1 and replies or replies_to(path[depth - 1].id)
  end
  return path
end

-- beyond returns the stack from which the rows after the last comment of a path are read.
local function beyond(path)
  local stack = {}
  for depth, comment in ipairs(path) do
    push(stack, depth - 1, comment.list, comment.number)
  end
  push(stack, #path, #path == 0 and replies or replies_to(path[#path].id))
  return stack
end

-- preceding returns the rows that lead to the last comment of a path without a gap, that comment included, last first,
-- each as its number and id: siblings with all their replies, while there is room. It also returns how many comments of
-- the path come before them, and whether other rows do.
local function preceding(path, first, room)
  local rows = {}
  for depth = #path, first, -1 do
    local comment = path[depth]
    rows[#rows + 1], rows[#rows + 2] = comment.number, comment.id
    local before = siblings(comment.list, comment.number, 1, true)
    while before[1] do
      if room < 1 then
        return rows, depth - 1, true
      end
      local stack = {}
      push(stack, depth, replies_to(before[1]))
      local under, more = follow(stack, room - 1)
      if more then
        return rows, depth - 1, true
      end
      for i = #under, 2, -2 do
        rows[#rows + 1], rows[#rows + 2] = under[i], under[i - 1]
      end
      rows[#rows + 1], rows[#rows + 2] = before[2], before[1]
      room = room - 1 - #under / 2
      before = siblings(comment.list, before[2], 1, true)
    end
  end
  return rows, first - 1, first > 1
end

-- page_at returns the rows of a page at the last comment of a path, whether more follow, and before which there are
-- gaps: its ancestors, and then rows that follow one another, with the comment among them. The parent of each row is on
-- the page, unless the page is shorter than the comment is deep.
local function page_at(path)
  local first, room = math.max(1, #path - most + 1), math.max(0, most - #path)
  local rest, more = follow(beyond(path), room)
  local before, apart, gap = preceding(path, first, room - math.min(#rest / 2, math.ceil(room / 2)))
  local rows, gaps = {}, {}
  for depth = first, apart do
    local comment = path[depth]
    if depth == first and first > 1 or siblings(comment.list, comment.number, 1, true)[1] then
      gaps[#gaps + 1] = comment.id
    end
    rows[#rows + 1], rows[#rows + 2] = comment.id, comment.number
  end
  if gap then
    gaps[#gaps + 1] = before[#before]
  end
  for i = #before, 2, -2 do
    rows[#rows + 1], rows[#rows + 2] = before[i], before[i - 1]
  end
  local left = math.min(#rest, 2 * most - #rows)
  for i = 1, left do
    rows[#rows + 1] = rest[i]
  end
  return rows, more or left < #rest, gaps
end

if around > 0 then
  local path = climb(redis.call("ZREVRANGEBYSCORE", comments, around, "-inf", "LIMIT", 0, 1)[1] or "0") or {}
  while #path > deepest + 1 do
    path[#path] = nil
  end
  if #path > 0 then
    local rows, more, gaps = page_at(path)
    return {known = 1, total = redis.call("ZCARD", comments), more = more and 1 or 0, rows = rows, gaps = gaps}
  end
end
local path = climb(after)
if not path or #path > deepest + 1 then
  return {known = 0, total = 0, more = 0, rows = {}, gaps = {}}
end
local rows, more = follow(beyond(path), most)
return {known = 1, total = redis.call("ZCARD", comments), more = more and 1 or 0, rows = rows, gaps = {}}
