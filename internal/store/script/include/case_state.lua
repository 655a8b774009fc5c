-- Reads what the queue of reports shows of the reports on a subject.
-- FIELD rev   int    revision
-- FIELD entry string "state category time topic": OPEN, UPHELD, DISMISSED, or - if it is in no list; the category, or 0;
--                    the score; the topic of a comment, or 0
-- INCLUDE row changed
local function case_state(case)
  return redis.call("HMGET", case, FIELDS)
end

-- Follows a change of the reports on a subject, about: it raises the revision and says so. Returns the state.
local function case_changed(case, about, now)
  local reports, through, held, outcome, last, resolved, category, topic = unpack(redis.call("HMGET", case,
    "reports", "through", "held", "outcome", "last", "resolved", "category", "topic"))
  local state, at = outcome or "-", resolved or "0"
  if held or tonumber(reports or "0") > tonumber(through or "0") then
    state, at = "OPEN", string.format("%.0f", math.max(tonumber(held or "0"), tonumber(last or "0")))
  end
  redis.call("HINCRBY", case, "rev", 1)
  redis.call("HSET", case, "entry", row_text(ROWS.case,
    {state = state, category = category or "0", time = at, topic = topic or "0"}))
  changed(now, string.match(case, "^{[^}]*}:") .. "r:" .. about, "CASE")
  return case_state(case)
end

-- Opens the case of a post that is held.
local function case_hold(case, about, author, category, topic, now)
  redis.call("HSET", case, "held", now, "author", author, "category", category, "topic", topic)
  case_changed(case, about, now)
end

-- Ends the hold of a post, if it is held.
local function case_release(case, about, now)
  if redis.call("HDEL", case, "held") == 1 then
    case_changed(case, about, now)
  end
end

-- Follows the move of a topic to another category, if it has a case.
local function case_moved(case, about, category, now)
  if redis.call("EXISTS", case) == 1 then
    redis.call("HSET", case, "category", category)
    case_changed(case, about, now)
  end
end
