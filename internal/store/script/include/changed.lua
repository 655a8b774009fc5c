-- Tells the processes that keep objects in memory that a field has changed that they keep.

-- Names an object that has changed, a category or tab: its name is its key.
local function changed(object)
  redis.call("PUBLISH", "changed", object)
end

-- Names a user. What they read in the next seconds comes from Redis: they may have made the change themselves.
local function changed_user(user, since)
  redis.call("HSET", internal(user), "wrote", since)
  changed(user)
end
