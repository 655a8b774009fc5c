-- Tells the processes that keep objects in memory which objects a script has changed, by their keys.
local function announce(...)
  redis.call("PUBLISH", "changed", table.concat({...}, " "))
end
