-- Gives a claim back, if it is still the one that was made.
-- KEYS[1]  STRING  the claim
-- ARGV[1]  its value, "user/nonce"
-- Returns  how many keys went
if redis.call("GET", KEYS[1]) == ARGV[1] then
  return redis.call("DEL", KEYS[1])
end
return 0
