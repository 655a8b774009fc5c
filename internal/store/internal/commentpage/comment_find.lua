-- Finds the live comment of a topic that is nearest to a number. Changes nothing.
-- KEYS comments    ZSET        all comments of the topic
-- KEYS tombstones  ZSET        its deleted comments
-- KEYS authors     ZSET        authors and numbers of its live comments
-- ARGV beyond      string      number after which, or before which, to look: "-inf", "+inf", or "(" and a number
-- ARGV backward    flag        whether to look before it
-- ARGV except      string      user whose comments do not count, as in authors; "" for none
-- ARGV most        int:number  how many comments to look at
-- RETURN id        comment     the comment, 0 if there is none
local looked, step, at = 0, 2, beyond
while looked < most do
  local found
  if backward then
    found = redis.call("ZREVRANGEBYSCORE", comments, at, "-inf", "WITHSCORES", "LIMIT", 0, step)
  else
    found = redis.call("ZRANGEBYSCORE", comments, at, "+inf", "WITHSCORES", "LIMIT", 0, step)
  end
  for i = 1, #found, 2 do
    if not redis.call("ZSCORE", tombstones, found[i]) and
      (except == "" or not redis.call("ZSCORE", authors, except .. string.format("%08x", tonumber(found[i + 1])))) then
      return {id = found[i]}
    end
  end
  if #found == 0 then
    break
  end
  looked, step, at = looked + #found / 2, math.min(4 * step, 100), "(" .. found[#found]
end
return {id = "0"}
