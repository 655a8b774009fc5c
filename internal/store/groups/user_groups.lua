-- Puts a user into a group, or takes the user out of it, and forgets which memberships have ended. The sets of the groups
-- follow, by the mark that it leaves.
-- INCLUDE changed despite_full
-- KEYS user      HASH    the user
-- KEYS dirty     ZSET    dirty marks of the partition
-- ARGV id        user    the user
-- ARGV group     group   the group, 0 for none
-- ARGV source    string  letter of what the membership comes from, "" for all of these
-- ARGV on        flag    whether the user is in the group from now on because of it
-- ARGV ends      time    when that ends, 0 for never
-- ARGV now       time    now
-- ARGV most      int     maximum number of groups of a user
-- ARGV path      string  where the input names the user
-- RETURN changed flag    whether anything changed
-- Errors   NOT_FOUND if there is no such account, TOO_LONG_GROUPS
if redis.call("HGET", user, "state") ~= "ACTIVE" then
  return redis.error_reply("NOT_FOUND " .. path)
end
local before = redis.call("HGET", internal(user), "groups") or ""
local rows, had = {}, false
for of, till, sources, since in string.gmatch(before, "(%d+):(%d+):(%a+):(%d+)") do
  local kept = till == "0" or tonumber(till) > tonumber(now)
  if kept and of == group then
    had = on
    if not on then
      sources = source == "" and "" or string.gsub(sources, source, "")
    else
      till = ends
      if not string.find(sources, source, 1, true) then
        sources = sources .. source
      end
    end
    kept = sources ~= ""
  end
  if kept then
    rows[#rows + 1] = of .. ":" .. till .. ":" .. sources .. ":" .. since
  end
end
if on and not had then
  if #rows >= tonumber(most) then
    return redis.error_reply("TOO_LONG_GROUPS " .. path)
  end
  rows[#rows + 1] = group .. ":" .. ends .. ":" .. source .. ":" .. now
end
local after = table.concat(rows, " ")
if after == before then
  return {changed = false}
end
if not on then
  despite_full(dirty)
end
if after == "" then
  redis.call("HDEL", internal(user), "groups")
else
  redis.call("HSET", internal(user), "groups", after)
end
redis.call("HINCRBY", internal(user), "groupsRev", 1)
local slot = string.sub(user, 1, -3 - #id)
changed(now, slot .. "g:" .. id, "GROUPS", user, "ACCESS")
return {changed = true}
