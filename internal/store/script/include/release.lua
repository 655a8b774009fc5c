-- Queues the release of a user's claim.
local function release(releases, claim, user, nonce)
  redis.call("SADD", releases, claim .. " " .. user .. "/" .. nonce)
end
