-- Ends one session of a user.
-- KEYS[1]  ZSET  the user's sessions
-- ARGV[1]  the session's name: the first digits of its digest
-- ARGV[2]  now, Unix ms
-- Returns  1, or 0 when there is no such session
for _, digest in ipairs(redis.call("ZRANGEBYSCORE", KEYS[1], "(" .. ARGV[2], "+inf")) do
  if ARGV[1] ~= "" and string.sub(digest, 1, #ARGV[1]) == ARGV[1] then
    return redis.call("ZREM", KEYS[1], digest)
  end
end
return 0
