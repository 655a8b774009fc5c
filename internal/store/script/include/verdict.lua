-- The rules for what moderators do to a topic or comment.

-- Returns the error with which an act on what a user posted is refused, or nil: nobody acts on their own posts, unless own
-- is set, or on those of users whom they do not outrank.
local function refused(moderates_it, viewer, author, outranked, own)
  if viewer == author and viewer ~= "0" and not own then
    return redis.error_reply(moderates_it and "SELF subjectId" or "FORBIDDEN subjectId")
  end
  if not moderates_it or (not own and not outranked) then
    return redis.error_reply("FORBIDDEN subjectId")
  end
end
