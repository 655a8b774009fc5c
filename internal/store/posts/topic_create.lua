-- Posts a topic: stores it, and updates its author's profile and count and the site's counts.
-- INCLUDE changed set_text creation idempotency notify event karma banned case_state listed
-- KEYS author        HASH      the author; the ghost has none
-- KEYS profile       ZSET      the author's profile
-- KEYS stats         HASH      site counters of the partition
-- KEYS votes         ZSET      the author's votes on articles
-- KEYS events        STREAM    events of the profile; exists only while watched
-- KEYS due           ZSET      due tasks of the partition
-- ARGV created       time      time of posting
-- ARGV author_id     user      the author, 0 for the ghost
-- ARGV category      category  the category, 0 for none
-- ARGV state         string    state; LOCKED if it was when it was imported, HELD if it waits for a moderator
-- ARGV audience      string    the audience of its category
-- ARGV epoch         string    the epoch of the rules that say so; "" for 0
-- ARGV vote_expires  string    when the author's own vote expires, Unix s; "" if it does not count
-- ARGV log_size      int       how many votes the author's log keeps
-- ARGV kept          int       approximate number of events that the stream keeps
-- ARGV imported      flag      whether it is imported, which a ban does not prevent
-- ARGV tasks         string    prefix of tasks of the partition; "" to notify no user
-- ARGV lease         time      end of the caller's lease of the task that notifies mentioned users
-- ARGV content       string    its text
-- ARGV internals[]   pair      further fields of its internal hash
-- ARGV fields[]      pair      further fields of the topic
-- RETURN new         flag      whether it was posted now; not if the key was used before with this input
-- RETURN id          topic     its id
-- RETURN token       string    the task's fencing token, "0" if there is none
-- Errors   UNAUTHENTICATED if the author is not an active user, BANNED,
--          IDEMPOTENCY_CONFLICT if the key was used with other input,
--          EXHAUSTED if the partition has no more ids

-- A topic that was rejected with its category does not count as posted.
local made, conflict = made_before(function(id)
  return redis.call("HEXISTS", internal(prefix .. id), "rejected") == 1
end)
if conflict then
  return conflict
end
if made then
  return {new = 0, id = made, token = "0"}
end
if author_id ~= "0" and redis.call("HGET", author, "state") ~= "ACTIVE" then
  return redis.error_reply("UNAUTHENTICATED")
end
local refused = not imported and banned(author, now)
if refused then
  return refused
end
local number, id, key = new_entity()
if not id then
  return redis.error_reply("EXHAUSTED")
end

local tells = tasks ~= "" and listed(state)
redis.call("HSET", key, "state", state, "audience", audience, "author", author_id, "category", category, "created", created, "active", created,
  "comments", "0", unpack(fields))
set_text(key, "1", content)
redis.call("HSET", internal(key), "floor", "0", "rev", "1")
if epoch ~= "" then
  redis.call("HSET", internal(key), "epoch", epoch)
end
for i = 1, #internals do
  redis.call("HSET", internal(key), internals[i].name, internals[i].value)
end
local public_now = listed(state) and audience == "PUBLIC"
if public_now then
  redis.call("HSET", internal(key), "fan", "1") -- it must still be written into homes
end
if tells then
  redis.call("HSET", internal(key), "tell", "all", "armed", "1")
end
if vote_expires ~= "" then
  redis.call("ZADD", key .. ":up", author_id, author_id)
  redis.call("EXPIREAT", key .. ":up", vote_expires)
  redis.call("HSET", internal(key), "voted", now)
  redis.call("HINCRBY", key, "up", 1)
  set_own(key, "UP")
  redis.call("ZADD", votes, string.format("%.0f", 4 * tonumber(now) + 1), id)
  redis.call("ZREMRANGEBYRANK", votes, 0, -1 - tonumber(log_size))
end
if public_now then
  redis.call("HINCRBY", stats, "topics", 1)
  if author_id ~= "0" then
    local member = string.format("%011x%08x", tonumber(created), number)
    redis.call("ZADD", profile, created, member)
    event(events, kept, "A", member)
    redis.call("HSET", internal(author), "topics", redis.call("ZCARD", profile))
    add_karma(author, karma_of(key))
  end
end
changed(now, key, "CREATED")
remember(id)
local token = "0"
if tells then
  token = notify(tasks, "n:t" .. id, due, lease)
end
if state == "HELD" then
  case_hold(key .. ":case", "t" .. id, author_id, category, "0", now)
end
return {new = 1, id = number, token = token}
