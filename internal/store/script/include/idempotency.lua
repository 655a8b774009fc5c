-- Remembers what a call with an idempotency key created, so that a repeated call creates nothing.
-- INCLUDE row
-- KEYS record  STRING  "time input-hash result" of the key's call
-- ARGV now     time    now
-- ARGV input   string  hash of the input, "" without a key
-- ARGV life    int     life of a record, ms
-- ARGV expires string  when the record expires, Unix s; "" never, for imports

-- Returns what the call created if it was made before, or nil and an error if that had other input. void,
-- which may be nil, reports whether the earlier result does not count.
local function made_before(void)
  local found = input ~= "" and read_row(ROWS.made, redis.call("GET", record))
  if not found or tonumber(found.time) + tonumber(life) <= tonumber(now) or (void and void(found.result)) then
    return
  end
  if found.input ~= input then
    return nil, redis.error_reply("IDEMPOTENCY_CONFLICT idempotencyKey")
  end
  if expires ~= "" then
    redis.call("EXPIREAT", record, expires)
  end
  return found.result
end

local function remember(made)
  if input ~= "" then
    redis.call("SET", record, row_text(ROWS.made, {time = now, input = input, result = made}))
    if expires ~= "" then
      redis.call("EXPIREAT", record, expires)
    end
  end
end
