-- A notification that was unread when what it is about was hidden is withheld: it counts as read, until that is restored.
-- The field withheld of the notes has `number:why:comment:topic` of those whose comment, topic or follower was ever gone
-- while they were not read, with spaces between them. Why is 1 if the comment is hidden or the follower has gone, 2 if the
-- topic is hidden, 3 if both are, 0 if neither is. Comment and topic are the revisions of which that is known, so that who
-- read earlier ones, and comes later, changes nothing; 0 if it is not known of any.

-- Returns what is known of a user's notifications, by number, and the field.
local function withheld_in(notes)
  local known, text = {}, redis.call("HGET", notes, "withheld") or ""
  for seq, why, comment, topic in string.gmatch(text, "(%d+):(%d):?(%d*):?(%d*)") do
    known[seq] = {why = tonumber(why), comment = tonumber(comment) or 0, topic = tonumber(topic) or 0}
  end
  return known, text
end

-- Returns what is known after news of a notification: with revisions of the comment, the topic or both.
local function learn(was, news)
  local of_comment, comment = was.why % 2, was.comment
  if news.comment and news.comment >= comment then
    of_comment, comment = news.why % 2, news.comment
  end
  local of_topic, topic = was.why - was.why % 2, was.topic
  if news.topic and news.topic >= topic then
    of_topic, topic = news.why - news.why % 2, news.topic
  end
  return {why = of_comment + of_topic, comment = comment, topic = topic}
end

-- Says of some notifications, those of news by number, why they are withheld, as learn takes it, or false if they are read,
-- or what they are about is gone for good. Those that are read stay so. Returns how many changed from or to unread, and
-- publishes it.
local function withhold(user, unread, notes, news, now)
  local known, before = withheld_in(notes)
  local marked, one = 0, "0"
  for seq, new in pairs(news) do
    local was_unread = redis.call("ZSCORE", unread, seq) and true or false
    local of = new and (known[seq] or was_unread and {why = 0, comment = 0, topic = 0})
    known[seq] = of and learn(of, new) or nil
    local is_unread = of and known[seq].why == 0 or false
    if is_unread ~= was_unread then
      if is_unread then
        redis.call("ZADD", unread, seq, seq)
      else
        redis.call("ZREM", unread, seq)
      end
      marked, one = marked + 1, seq
    end
  end
  local left = {}
  for seq, of in pairs(known) do
    if of.why + of.comment + of.topic > 0 then
      left[#left + 1] = string.format("%s:%d:%.0f:%.0f", seq, of.why, of.comment, of.topic)
    end
  end
  table.sort(left)
  local text = table.concat(left, " ")
  if text == "" and before ~= "" then
    redis.call("HDEL", notes, "withheld")
  elseif text ~= before then
    redis.call("HSET", notes, "withheld", text)
  end
  if marked > 0 then
    count_read(user, now, marked == 1 and one or "0")
  end
  return marked
end
