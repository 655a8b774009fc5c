-- Keeps copies of what a topic, comment or user shows, for those who moderate it; see record.ParseEvidence.
-- KEYS copies      HASH  the copies, by their numbers from 1
-- KEYS hidden_items ZSET what the partition keeps for a time
-- ARGV copies_most int   maximum number of copies
-- ARGV copy_most   int   maximum size of a copy, bytes
-- ARGV sooner      millis how much sooner than others a copy is erased of what nobody has reported

-- Reports whether a case waits for a moderator.
local function case_open(case)
  local reports, through, held = unpack(redis.call("HMGET", case, "reports", "through", "held"))
  return held or tonumber(reports or "0") > tonumber(through or "0")
end

-- Copies a subject, about, unless the latest copy is the same. The copies are kept as hidden_items says, for a shorter
-- time if only an author's haste is the cause.
local function keep_evidence(subject, about, cause, at, hasty)
  local function line(value)
    return (string.gsub(value or "", "\n", " "))
  end
  local copy, body
  if string.sub(about, 1, 1) == "u" then
    local login, name, website, avatar, bio = unpack(redis.call("HMGET", subject, "login", "name", "website", "avatar", "bio"))
    copy = {string.sub(about, 2) .. " 0 -", line(name), line(website), line(login), line(avatar), ""}
    body = bio or ""
  else
    local author, revision, format, title, link, tags = unpack(redis.call("HMGET", subject,
      "author", "revision", "format", "title", "link", "tags"))
    local names = {}
    for name in string.gmatch(tags or "", "%d+ ([^\n]+)") do
      names[#names + 1] = name
    end
    copy = {author .. " " .. (revision or "1") .. " " .. (format or "-"), line(title), line(link), "", "",
      table.concat(names, "\t")}
    body = text_of(subject)
  end
  local cut, room = "0", tonumber(copy_most)
  if #body > room then -- at the beginning of a character
    cut = "1"
    while room > 0 and string.byte(body, room + 1) >= 128 and string.byte(body, room + 1) < 192 do
      room = room - 1
    end
    body = string.sub(body, 1, room)
  end
  copy = copy[1] .. " " .. cut .. "\n" .. table.concat(copy, "\n", 2) .. "\n" .. body

  local numbers = redis.call("HKEYS", copies)
  table.sort(numbers, function(a, b) return tonumber(a) < tonumber(b) end)
  local last = numbers[#numbers]
  local same = last and string.match(redis.call("HGET", copies, last), "^%d+ %u+ (.*)$") == copy
  if not same then
    redis.call("HSET", copies, string.format("%d", tonumber(last or "0") + 1), at .. " " .. cause .. " " .. copy)
    if #numbers >= tonumber(copies_most) then -- the first one stays
      redis.call("HDEL", copies, numbers[2])
    end
  end
  local since = hasty and tonumber(at) - tonumber(sooner) or tonumber(at)
  if since > tonumber(redis.call("ZSCORE", hidden_items, "e:" .. about) or "0") then
    redis.call("ZADD", hidden_items, string.format("%.0f", since), "e:" .. about)
  end
end
