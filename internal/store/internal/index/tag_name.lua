-- Keeps the name of a tag as long as it has topics or followers, and what the list of tags shows of it; the
-- bookkeeping of its index expires some time after the last topic. Run it after the index was written.
-- INCLUDE changed
-- KEYS tag       HASH    the tag
-- KEYS order     ZSET    its index by time of posting
-- KEYS revisions HASH    revisions of the index's entries
-- KEYS removed   ZSET    removed entries
-- KEYS followers ZSET    users who follow the tag
-- ARGV name      string  the name as it was written now, "" if the tag was removed
-- ARGV expires   string  when the bookkeeping of an empty index expires, Unix s
-- ARGV micros    int     now, Unix µs
-- ARGV again     flag    whether the list of tags is to be written again, although nothing has changed
-- RETURN rev     int     revision of the tag's entry in the list of tags
-- RETURN topics  int     number of topics
-- RETURN newest  int     when the newest one was posted, Unix ms; 0 for none
-- RETURN name    string  its name
local last, size, known = unpack(redis.call("HMGET", tag, "n", "size", "name"))
local topics, newest = redis.call("ZCARD", order), 0
if topics > 0 then
  local first = unpack(redis.call("ZREVRANGE", order, 0, 0))
  newest = tonumber(string.sub(first, 1, 11), 16) -- the time of posting
end
local now_size = string.format("%d %.0f", topics, newest)
if topics > 0 and size == now_size and known and not again then
  return {rev = tonumber(last), topics = topics, newest = newest, name = known} -- the usual case: nothing has changed
end
local rev = string.format("%.0f", math.max(tonumber(last or "0") + 1, tonumber(micros)))
local used = topics > 0 or redis.call("ZCARD", followers) > 0
if topics == 0 then
  redis.call("EXPIREAT", revisions, expires)
  redis.call("EXPIREAT", removed, expires)
else
  redis.call("PERSIST", revisions)
  redis.call("PERSIST", removed)
  if name ~= "" and redis.call("HSETNX", tag, "name", name) == 1 then
    changed(nil, tag, "NAME")
  end
end
if not used and redis.call("HDEL", tag, "name") == 1 then
  changed(nil, tag, "NAME")
end
if size == now_size and not again then
  rev = last
else
  redis.call("HSET", tag, "n", rev, "size", now_size)
end
-- The revision outlives the tag for as long as a late write to the list of tags may come.
if used then
  redis.call("PERSIST", tag)
else
  redis.call("EXPIREAT", tag, expires)
end
return {rev = tonumber(rev), topics = topics, newest = newest, name = redis.call("HGET", tag, "name") or ""}
