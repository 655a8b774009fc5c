-- Records what a moderator changed in categories and tabs, in the script that does it. A script calls new_change before
-- its first write, and record_change after it. What the command line and imports do is not recorded.

-- Returns the id and the key of the act to record; nothing on the command line.
local function new_change()
  if act_by ~= "0" then
    local _, act, key = new_entity()
    return act, key
  end
end

-- Writes an act, if there is one, and notes it in section, which it changed; before and after are values by name, nil
-- for none. Returns its id, "0" for none.
local function record_change(act, key, kind, about, before, after, section)
  if not act then
    return "0"
  end
  record_act(act, key, kind, about, "0", cjson.encode({before = before, after = after}))
  if section then
    redis.call("HSET", section, "act", act)
  end
  return act
end
