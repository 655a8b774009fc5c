-- Keeps the text that an edit replaces, and checks that the editor knows it.
-- INCLUDE row
-- KEYS revisions    ZSET   numbers of the kept revisions; missing if there was no edit
-- KEYS texts        HASH   their texts by number, but for the present one
-- KEYS case         HASH   the reports on it
-- ARGV expected     string number of the revision that the editor has seen; "" for any
-- ARGV known        string number of the revision that earlier is of
-- ARGV earlier      string the text as it was read before, packed
-- ARGV merge_within millis how long later edits by the same user are merged into one
-- ARGV revisions_most int  maximum number of revisions
-- ARGV bytes_most   int    maximum size of the earlier texts together, unpacked, and of the copies
local function outdated(subject)
  local present = redis.call("HGET", subject, "revision") or "1"
  if expected ~= "" and expected ~= present then
    return redis.error_reply("STALE " .. present)
  end
  if known ~= present then
    return redis.error_reply("RETRY")
  end
end

-- Returns what followed a text: votes, replies and reports. A revision that any of them followed is kept.
local function echo(subject)
  local counts = redis.call("HMGET", subject, "up", "down", "replies", "comments")
  table.insert(counts, 3, redis.call("HGET", internal(subject), "votes"))
  for i = 1, 5 do
    counts[i] = counts[i] or "0"
  end
  counts[6] = redis.call("HGET", case, "reports") or "0"
  return table.concat(counts, " ")
end

-- Returns the size of a text once it is unpacked: what is written before it, otherwise as stored.
local function unpacked_size(number)
  local packed = redis.call("HGET", texts, number) or ""
  local revision = read_row(ROWS.revision, packed)
  return tonumber(revision and string.match(revision.text, "^%u(%d+) ") or #packed)
end

-- Begins the next revision of a subject, about, by an editor, and returns its number. It comes before any field changes.
-- Edits of the author's own soon after each other are merged: readers may have seen the text before, so a copy is kept.
-- While there is no room for one, they are not.
local function revise(subject, about, editor, at)
  local present, since, last, author, created = unpack(redis.call("HMGET", subject,
    "revision", "revised", "editor", "author", "created"))
  local echoed = redis.call("HGET", internal(subject), "echo")
  present = present or "1"
  local number, now = string.format("%d", tonumber(present) + 1), echo(subject)
  if editor == author and (last or author) == editor and now == (echoed or "0 0 0 0 0 0") and
    tonumber(at) - tonumber(since or created) < tonumber(merge_within) and
    redis.call("HLEN", copies) < tonumber(copies_most) - 1 then
    keep_evidence(subject, about, "EDIT", at, true)
    if redis.call("ZREM", revisions, present) == 1 then
      redis.call("ZADD", revisions, number, number)
    end
    redis.call("HSET", subject, "revised", since or created)
  else
    redis.call("HSET", texts, present, earlier)
    redis.call("ZADD", revisions, present, present, number, number)
    redis.call("HSET", subject, "revised", at)
    redis.call("HSET", internal(subject), "echo", now)
    local kept, sizes, bytes = redis.call("ZRANGE", revisions, 0, -2), {}, 0
    for _, copy in ipairs(redis.call("HVALS", copies)) do
      bytes = bytes + #copy
    end
    for i = 1, #kept do
      sizes[i] = unpacked_size(kept[i])
      bytes = bytes + sizes[i]
    end
    for i = 2, #kept - 1 do -- the first one stays, and the one just added
      if #kept - i + 3 <= tonumber(revisions_most) and bytes <= tonumber(bytes_most) then
        break
      end
      bytes = bytes - sizes[i]
      redis.call("ZREM", revisions, kept[i])
      redis.call("HDEL", texts, kept[i])
    end
  end
  redis.call("HSET", subject, "revision", number, "editor", editor)
  return number
end
