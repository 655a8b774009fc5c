-- Says what a script has changed, to all who follow it. Nothing else leaves dirty marks or publishes changes of objects.
-- The arguments after at, the time, are the keys of objects of one slot, each with a word of the catalogue's Changes; a key that is
-- nil or false ends them. Lists in other slots learn it by dirty marks, consumers by entries of the feed, memories and
-- subscriptions by a message. at may be nil if no list follows. Returns how many of the marks are new.
local function changed(at, ...)
  local said, slot, n = {...}, string.match((...), "^{[^}]*}:"), 0
  local kinds = redis.call("HGET", slot .. "consumers", "kinds")
  local marks, entries = {}, {}
  while said[n + 1] do
    local name, word = string.sub(said[n + 1], #slot + 1), " " .. string.match(said[n + 2], "^%u+") .. " "
    said[n + 1], n = name, n + 2
    if string.find(CHANGES.listed, word, 1, true) then
      marks[#marks + 1], marks[#marks + 2] = at, name
    end
    if kinds and string.find(kinds, string.sub(name, 1, 1), 1, true) and not string.find(CHANGES.quiet, word, 1, true) then
      entries[#entries + 1], entries[#entries + 2] = string.find(CHANGES.own, word, 1, true) and word or "", name
    end
  end
  if #entries > 0 then
    local last = redis.call("HINCRBY", slot .. "consumers", "seq", #entries / 2)
    for i = 1, #entries, 2 do
      local number = string.format("%.0f", last - (#entries - i - 1) / 2)
      if entries[i] ~= "" then
        entries[i + 1] = entries[i + 1] .. entries[i] .. number
      end
      entries[i] = number
    end
    redis.call("ZADD", slot .. "feed", unpack(entries))
  end
  redis.call("PUBLISH", slot .. "changes", table.concat(said, " ", 1, n))
  if #marks > 0 then -- of acts on what is in no partition, {cat} and {mod}, the set has another name
    return redis.call("ZADD", slot .. (string.sub(slot, 1, 2) == "{p" and "dirty" or "marks"), "NX", unpack(marks))
  end
  return 0
end
