-- Refuses to revert an act that somebody has reverted, or if what it changed is not as it left it.

-- Returns an error if the act was reverted before, or a value that it left is another one: present has the values by
-- name, nil if what the act did is no longer there to compare.
local function outdated_act(present)
  if not reverted_act() then
    return
  end
  local by, detail = unpack(redis.call("HMGET", reverted, "reversedBy", "detail"))
  local stale = by
  if present and detail then
    for name, value in pairs(cjson.decode(detail).after or {}) do
      stale = stale or present[name] ~= value
    end
  end
  if stale then
    return redis.error_reply("CHANGED actId")
  end
end
