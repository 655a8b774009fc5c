-- Records what a moderator did, in the script that does it. A script calls new_act before its first write, and
-- record_act, with the key that this returned, after it knows that anything changes.
-- INCLUDE changed
-- ARGV act_by     user   who acts
-- ARGV act_reason string why
-- ARGV act_note   string a note, or ""
-- ARGV act_at     time   now

-- Writes an act: about is "t", "c" or "u" for a topic, comment or user, and its id; member is the user whom it
-- concerns; reversed the id of the act that it ends, nil for none. An act on all posts of a user is not ended by one on
-- a single post. Returns the id of the act that it ended, "0" for none.
local function record_act(id, key, kind, about, member, detail, reversed)
  redis.call("HSET", key, "rev", "1", "kind", kind, "subject", about, "member", member, "by", act_by,
    "reason", act_reason, "note", act_note, "created", act_at, "detail", detail)
  local prefix = string.sub(key, 1, #key - #id)
  local other = reversed and redis.call("HGET", prefix .. reversed, "subject")
  local ends = other and string.sub(other, 1, 1) == string.sub(about, 1, 1)
  changed(act_at, key, "CREATED", ends and prefix .. reversed, "REVERSED")
  if not ends then
    return "0"
  end
  redis.call("HSET", key, "reverses", reversed)
  redis.call("HSET", prefix .. reversed, "reversedBy", id)
  return reversed
end
