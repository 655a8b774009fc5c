-- Where sessions and API tokens come from: an account at an issuer, or none.

-- Ends those of a hash that came from an account; of those of earlier versions, which did not note it, all.
local function end_in(key, noted, external)
  local all = redis.call("HGETALL", key)
  for i = 1, #all, 2 do
    local from = string.match(all[i + 1], noted)
    if not from or from == external then
      redis.call("HDEL", key, all[i])
    end
  end
end

-- Ends the sessions and API tokens that came from an account, and wakes the connections of the user.
local function end_from(external, sessions, tokens)
  end_in(sessions, "^%d+ %d+ %d+:%d+:(%x*) ", external)
  end_in(tokens, "^%d+ %d+ %d+ %S-:(%x*) ", external)
  redis.call("PUBLISH", sessions, "")
end
