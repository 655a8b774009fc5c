-- Writes a user into the sets of members of the groups that the user is in, and out of the others, unless a newer
-- revision of the user's groups was written.
-- INCLUDE despite_full
-- KEYS users            HASH   user -> what was written last
-- KEYS left             ZSET   users in no group by the time when that was written
-- KEYS ends             ZSET   users by when the first of their memberships ends
-- KEYS groups[].group   HASH   a group that the user is in, or was
-- KEYS groups[].members ZSET   its members
-- ARGV user             user   the user
-- ARGV rev              int    the revision
-- ARGV before           string what was written last, as the caller has read it
-- ARGV row              string what is written now
-- ARGV first            time   when the first of the memberships ends, 0 for never
-- ARGV now              time   now
-- ARGV memory           millis how long it is remembered that a user is in no group
-- ARGV groups[].id      group  the group
-- ARGV groups[].since   time   since when the user is in it, 0 if the user is not
-- RETURN done           flag   false if something else was written last
-- RETURN gone           strings ids of the groups that the user is in which do not exist
local old = redis.call("ZRANGEBYSCORE", left, "-inf", string.format("(%d", tonumber(now) - tonumber(memory)), "LIMIT", 0, 100)
if (redis.call("HGET", users, user) or "") ~= before then
  return {done = false, gone = {}}
end
despite_full(left)
if #old > 0 then
  redis.call("HDEL", users, unpack(old))
  redis.call("ZREM", left, unpack(old))
end
if tonumber(string.match(before, "^%d+") or "0") > tonumber(rev) then
  return {done = true, gone = {}}
end
local gone, any = {}, false
for i = 1, #groups do
  local group, members = groups[i].group, groups[i].members
  local there, is = redis.call("EXISTS", group) == 1, groups[i].since ~= "0"
  if is and there then
    redis.call("ZADD", members, groups[i].since, user)
  else
    redis.call("ZREM", members, user)
  end
  if there then
    redis.call("HSET", group, "members", redis.call("ZCARD", members))
  elseif is then
    gone[#gone + 1] = groups[i].id
  end
  any = any or is
end
redis.call("HSET", users, user, row)
if any then
  redis.call("ZREM", left, user)
else
  redis.call("ZADD", left, now, user)
end
if first == "0" then
  redis.call("ZREM", ends, user)
else
  redis.call("ZADD", ends, first, user)
end
return {done = true, gone = gone}
