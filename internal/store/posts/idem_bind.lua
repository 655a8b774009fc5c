-- Binds a user's idempotency key to one input for a day.
-- INCLUDE idempotency
-- Returns  1
-- Errors   IDEMPOTENCY_CONFLICT if it is bound to other input
local made, conflict = made_before()
if conflict then
  return conflict
end
if not made then
  remember("0")
end
return 1
