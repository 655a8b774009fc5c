-- Raises the revisions of a topic's comments, from the number after one on, because the topic is listed, or is not any
-- more: what their authors' lists and karma have of them is then out of date. Returns id, number and the fields that
-- these need of each.
-- KEYS comments         ZSET       all comments of the topic
-- ARGV comments_prefix  string     prefix of comments of the partition
-- ARGV pass             int        how many comments are raised at a time
local function raise_comments(after)
  local found = redis.call("ZRANGEBYSCORE", comments, after == "" and "-inf" or "(" .. after, "+inf", "WITHSCORES",
    "LIMIT", 0, pass)
  local states = {}
  for i = 1, #found, 2 do
    local comment = comments_prefix .. found[i]
    redis.call("HINCRBY", internal(comment), "rev", 1)
    local fields = comment_state(comment)
    if fields[5] or fields[6] then
      fields[11] = redis.call("HINCRBY", internal(comment), "votes", 1)
    end
    states[#states + 1] = found[i]
    states[#states + 1] = found[i + 1]
    for f = 1, 11 do
      states[#states + 1] = fields[f] and tostring(fields[f]) or ""
    end
  end
  return states
end
