-- Where sessions and API tokens come from: an account at an issuer, or none.
-- INCLUDE row changed

-- Ends those of a hash that came from an account; of those of earlier versions, which did not note it, all.
local function end_in(key, names, part, external)
  local all = redis.call("HGETALL", key)
  for i = 1, #all, 2 do
    local from = string.match(read_row(names, all[i + 1])[part], ":(%x*)$")
    if not from or from == external then
      redis.call("HDEL", key, all[i])
    end
  end
end

-- Ends the sessions and API tokens that came from an account, and wakes the connections of the user.
local function end_from(user, external, sessions, tokens)
  end_in(sessions, ROWS.session, "ends", external)
  end_in(tokens, ROWS.token, "scopes", external)
  changed(nil, user, "ACCESS")
end
