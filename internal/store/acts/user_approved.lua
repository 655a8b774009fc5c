-- Counts an approved post of a user, each once. May come late: an account that was deleted counts none.
-- KEYS user     HASH   the user
-- KEYS approved SET    posts of the user that were held and approved
-- ARGV about    string the post: "t" or "c", and its id
-- Returns  1 if it was not counted before, otherwise 0
if redis.call("HGET", user, "state") ~= "ACTIVE" then
  return 0
end
return redis.call("SADD", approved, about)
