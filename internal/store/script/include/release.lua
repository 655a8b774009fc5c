-- Has a user give a claim back.
local function release(releases, claim, user, nonce)
  redis.call("SADD", releases, claim .. " " .. user .. "/" .. nonce)
end
