-- Records what a moderator changed in categories and tabs, or of the site itself, in the script that does it. A script
-- calls new_change before its first write, change for each value, and record_change when all is written. What the
-- command line and imports do is not recorded.
local before, after

-- Returns the id and the key of the act to record; nothing on the command line.
local function new_change()
  if act_by ~= "0" then
    local _, act, key = new_entity()
    return act, key
  end
end

-- Notes a value before and after the change, nil for none.
local function change(name, from, to)
  if from and from ~= to then
    before = before or {}
    before[name] = from
  end
  if to and to ~= from then
    after = after or {}
    after[name] = to
  end
end

-- Reports whether any value has changed.
local function any_change()
  return before or after
end

-- Writes an act, if there is one and a value has changed, and notes it in section, the hash that it changed, if given.
-- Returns its id, "0" for none.
local function record_change(act, key, kind, about, section)
  if not act or not any_change() then
    return "0"
  end
  record_act(act, key, kind, about, "0", cjson.encode({before = before, after = after}), reverted_act())
  if section then
    redis.call("HSET", internal(section), "act", act)
  end
  return act
end
