-- Writes changes into the feed of a slot: entries are pairs of a name and what makes it an entry of its own, "" for nothing.
local function write_feed(slot, entries)
  local last = redis.call("HINCRBY", slot .. "consumers", "seq", #entries / 2)
  local rows = {}
  for i = 1, #entries, 2 do
    local number = string.format("%.0f", last - (#entries - i - 1) / 2)
    rows[i], rows[i + 1] = number, entries[i]
    if entries[i + 1] ~= "" then
      rows[i + 1] = entries[i] .. " " .. entries[i + 1] .. " " .. number
    end
  end
  redis.call("ZADD", slot .. "feed", unpack(rows))
end

-- Says what a script has changed, to all who follow it. Nothing else leaves dirty marks or publishes changes of objects.
-- The arguments after at, the time, are the keys of objects of one slot, each with a word of the catalogue's Changes, which
-- details may follow; a key that is nil or false ends them. Lists in other slots learn it by dirty marks, consumers by
-- entries of the feed, memories and subscriptions by a message. at may be nil if no list follows. Returns how many of the
-- marks are new.
local function changed(at, ...)
  local said, n = {...}, 0
  local _, prefix = string.find(said[1], "}:", 1, true)
  local slot = string.sub(said[1], 1, prefix)
  local kinds = redis.call("HGET", slot .. "consumers", "kinds")
  local marks, entries = {}, {}
  while said[n + 1] do
    local name, word = string.sub(said[n + 1], prefix + 1), said[n + 2]
    said[n + 1], n = name, n + 2
    local details = string.find(word, ":", 1, true)
    local _, last = string.find(CHANGES, details and string.sub(word, 1, details - 1) or word, 1, true)
    local is = string.byte(CHANGES, last + 1) - 48 -- 1 if it is listed, 2 if it has an entry of its own, 4 if it is quiet
    if is % 2 == 1 then
      marks[#marks + 1], marks[#marks + 2] = at, name
    end
    local kind = string.sub(name, 1, 1)
    if kinds and is < 4 and (string.find(kinds, kind, 1, true) or is > 1 and string.find(kinds, string.upper(kind), 1, true)) then
      entries[#entries + 1], entries[#entries + 2] = name, is > 1 and word or ""
    end
  end
  if #entries > 0 then
    write_feed(slot, entries)
  end
  redis.call("PUBLISH", slot .. "changes", table.concat(said, " ", 1, n))
  if #marks > 0 then -- of acts on what is in no partition, {cat} and {mod}, the set has another name
    return redis.call("ZADD", slot .. (string.sub(slot, 1, 2) == "{p" and "dirty" or "marks"), "NX", unpack(marks))
  end
  return 0
end
