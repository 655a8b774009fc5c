-- Gives a topic the audience of its category: the lists and counts of the site have it, or not any more.
-- INCLUDE changed topic_state listed event karma count_topic arm
-- KEYS topic      HASH       the topic
-- KEYS due        ZSET       due tasks of the partition
-- KEYS task       HASH       the task by which its comments leave the lists of their authors, or return there
-- ARGV category   category   its category as the caller knows it; 0 for none
-- ARGV audience   string     the audience of that
-- ARGV epoch      int        the epoch of the rules that say so
-- ARGV now        time       now
-- ARGV task_name  string     name of the task
-- RETURN topic    TopicState state for its indexes
local state, present, before, comments = unpack(redis.call("HMGET", topic, "state", "category", "audience", "comments"))
local known = tonumber(redis.call("HGET", internal(topic), "epoch") or "0")
-- What is not listed is given its audience when it is listed again.
if present == category and listed(state) and tonumber(epoch) >= known and (tonumber(epoch) > known or before ~= audience) then
  local was = public(topic, state)
  redis.call("HSET", topic, "audience", audience)
  if epoch == "0" then
    redis.call("HDEL", internal(topic), "epoch")
  else
    redis.call("HSET", internal(topic), "epoch", epoch)
  end
  local is = public(topic, state)
  if was ~= is then
    redis.call("HINCRBY", internal(topic), "rev", 1) -- homes follow when they are read
    count_topic(topic, is and 1 or -1)
    if comments ~= "0" then
      arm(topic, task, "", "0", due, now, task_name)
    end
  end
  if before ~= audience then
    changed(now, topic, "STATE")
  end
end
return {topic = topic_state(topic)}
