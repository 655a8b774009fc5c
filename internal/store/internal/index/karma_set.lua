-- Counts the votes on a comment in its author's karma, unless a newer state of them was already counted.
-- INCLUDE karma row
-- KEYS user    HASH     the author
-- KEYS votes   HASH     comment -> "revision net": what was counted of it
-- ARGV comment comment  the comment
-- ARGV rev     int      revision of the votes on it
-- ARGV net     int      votes of others for it minus those against it
-- Returns  1 if they were counted, 0 if this or a newer revision was counted before, or the account is not active
if redis.call("HGET", user, "state") ~= "ACTIVE" then
  return 0
end
local before = read_row(ROWS.karma, redis.call("HGET", votes, comment)) or {}
if tonumber(before.revision or "-1") >= tonumber(rev) then
  return 0
end
redis.call("HDEL", votes, "") -- as despite_full: it follows a deletion or a vote that was written
redis.call("HSET", votes, comment, row_text(ROWS.karma, {revision = rev, net = net}))
add_karma(user, tonumber(net) - tonumber(before.net or "0"))
return 1
