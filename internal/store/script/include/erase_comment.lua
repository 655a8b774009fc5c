-- Erases the text of a comment; topic_author is the author of its topic.
local function erase_comment(comment, parent, topic_author, now)
  local answered = parent and redis.call("HGET", parent, "author")
  keep_recipients(comment, topic_author .. " " .. (answered and answered .. " " or ""))
  -- The author stays in the hash, for moderators' records and for repeated calls; readers see the ghost.
  redis.call("HSET", comment, "deleted", now, "content", "")
  redis.call("DEL", comment .. ":text")
  redis.call("HDEL", comment, ERASED.comment)
  redis.call("HDEL", internal(comment), ERASED.comment_internal)
  if redis.call("HGET", comment, "state") ~= "HELD" then
    redis.call("HDEL", comment, "state")
  end
end
