-- Deletes an account permanently: names, e-mail, password, sessions and API tokens are deleted; its
-- posts stay, from now on under the ghost's name, or until a task has deleted them, too. That can be ordered of an account
-- that is deleted already.
-- INCLUDE release arm staff login_change despite_full changed bar_email
-- KEYS user      HASH    the user
-- KEYS releases  SET     claims that the user releases
-- KEYS dirty     ZSET    dirty marks of the partition
-- KEYS stats     HASH    site counters of the partition
-- KEYS sessions  HASH    the user's sessions
-- KEYS tokens    HASH    the user's API tokens
-- KEYS votes     ZSET    the user's votes on articles
-- KEYS home      ZSET    the user's home
-- KEYS due       ZSET    due tasks of the partition
-- KEYS task      HASH    the task that ends the user's edges and lists
-- KEYS erase_task HASH   the task that deletes the user's posts
-- KEYS marks     HASH    how far the user has read
-- KEYS marked    ZSET    when that was marked
-- KEYS numbers   ZSET    numbers of the user's notifications
-- KEYS unread    ZSET    those of them that are unread
-- KEYS notes     HASH    their contents
-- KEYS karma     HASH    what was counted of the votes on the user's comments
-- KEYS devices   ZSET    addresses from which the user signed in
-- KEYS recent    HASH    what the user posted lately
-- KEYS approved  SET     posts of the user that were held and approved
-- KEYS externals HASH    the user's accounts at issuers
-- KEYS invitations HASH  the invitations that the user made
-- ARGV id        user    the user
-- ARGV password  string  password hash that the password was checked against; "*" for no check
-- ARGV rejection string  id of the act that rejected the account, if only one that was rejected is deleted; otherwise ""
-- ARGV now       time    now
-- ARGV rest      string  until when the login is reserved, unless it was staff's, Unix ms; "" if it is free
-- ARGV micros    int     now, Unix µs
-- ARGV due_at    time    when the task is due
-- ARGV task_name string  name of the task
-- ARGV erase     flag    whether the user's posts are deleted
-- ARGV erase_name string name of the task that does so
-- Returns  1
-- Errors   UNAUTHENTICATED if there is no such account, or it was not rejected so, WRONG_CREDENTIALS
--          if the password was changed concurrently
local account = internal(user)
local state = redis.call("HGET", user, "state")
local now_password, login_claim, registered, email_claim, email_nonce, new_claim, new_nonce, look_claims, login_nonce =
  unpack(redis.call("HMGET", account, "password", "loginClaim", "nonce", "emailClaim",
    "emailNonce", "newEmailClaim", "newEmailNonce", "lookClaims", "loginNonce"))
local nonce = login_nonce or registered
local counted = state == "ACTIVE" and redis.call("HEXISTS", account, "prepared") == 0

-- Orders that the posts are deleted, unless that is under way. A task that has only its end left does not count.
local function order_erasure()
  if redis.call("HSETNX", account, "erase", now) == 1 or redis.call("EXISTS", erase_task) == 0 then
    arm(user, erase_task, "", "0", due, due_at, erase_name)
  end
end

if state == "DELETED" and erase then
  despite_full(dirty)
  order_erasure()
  return 1
end
if state ~= "ACTIVE" and state ~= "APPLIED" then
  return redis.error_reply("UNAUTHENTICATED")
end
if rejection ~= "" and redis.call("HGET", account, "rejection") ~= rejection then
  return redis.error_reply("UNAUTHENTICATED")
end
if password ~= "*" and now_password ~= password then
  return redis.error_reply("WRONG_CREDENTIALS password")
end

despite_full(dirty)
local bar = barred(user, now)
note_staff(user)
rest = rest_of_login(user, state == "ACTIVE" and rest or "") -- nobody knew an applicant's
abandon_login_change(user, releases, id)
redis.call("HSET", user, "state", "DELETED")
redis.call("HSET", account, "deleted", now, "unlisted", "1")
redis.call("HINCRBY", account, "rev", 1)
redis.call("HDEL", user, ERASED.user)
redis.call("HDEL", account, ERASED.user_internal)
release_claims(releases, login_claim, id, nonce, rest)
release_claims(releases, look_claims, id, nonce, rest)
if email_claim then
  release(releases, email_claim, id, email_nonce .. bar)
end
if new_claim then
  release(releases, new_claim, id, new_nonce)
end
if counted then
  redis.call("HINCRBY", stats, "users", -1)
end
redis.call("DEL", sessions, tokens, votes, home, marks, marked, numbers, unread, notes, karma, devices, recent, approved,
  externals, invitations)
changed(now, user, "DELETED", user, "ACCESS")

-- From now on the user has no edges, whatever the sets say: the task cleans these up, with later times than
-- any change by the user.
for _, field in ipairs({"etime", "ltime"}) do
  local last = tonumber(redis.call("HGET", account, field) or "0")
  redis.call("HSET", account, field, string.format("%.0f", math.max(tonumber(micros), last + 1)))
end
arm(user, task, "", "0", due, due_at, task_name)
if erase then
  order_erasure()
end
return 1
