-- Keeps a copy of what its author deletes, if moderators need one.
-- ARGV hasty_within millis how soon after it was written a text is copied that nobody has acted on

-- Copies a subject, about, that is being deleted, if it is in dispute, or was written a short time ago: readers have seen it.
local function keep_deleted(subject, about, disputed, at)
  local created, edited = unpack(redis.call("HMGET", subject, "created", "edited"))
  if disputed or tonumber(at) - tonumber(edited or created) < tonumber(hasty_within) then
    keep_evidence(subject, about, "DELETE", at, not disputed)
  end
end
