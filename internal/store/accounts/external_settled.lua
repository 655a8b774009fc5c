-- Records that the records of all accounts at issuers that a user has were written.
-- KEYS user   HASH   the user
-- ARGV nonce  string nonce of the latest link then
-- Returns  1, or 0 if there was another link since
if redis.call("HGET", internal(user), "linking") ~= nonce then
  return 0
end
redis.call("HDEL", internal(user), "linking")
return 1
