-- Computes until when the e-mail of a banned account cannot be registered once the account no longer has it.
-- ARGV barred_least millis:number the shortest time
-- ARGV barred_most  millis:number the longest time, for a ban without an end

-- Returns what release is to add to a claim on it: a space and the time, or "" if no ban is in force.
local function barred(user, at)
  local ban, till = unpack(redis.call("HMGET", user, "ban", "banUntil"))
  at = tonumber(at)
  if not ban or (till ~= "0" and tonumber(till) <= at) then
    return ""
  end
  local ends = till == "0" and at + barred_most or math.max(tonumber(till), at + barred_least)
  return string.format(" %.0f", math.min(ends, at + barred_most))
end
