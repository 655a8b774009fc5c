-- Revokes one API token of a user.
-- INCLUDE changed
-- KEYS tokens   HASH    the user's API tokens
-- KEYS user     HASH    the user
-- ARGV name     string  the token's name: the first digits of its digest
-- Returns  1, or 0 if there is no such token
for _, digest in ipairs(redis.call("HKEYS", tokens)) do
  if name ~= "" and string.sub(digest, 1, #name) == name then
    changed(nil, user, "ACCESS")
    return redis.call("HDEL", tokens, digest)
  end
end
return 0
