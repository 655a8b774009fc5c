-- Assigns the next id of a partition, skipping ids that exist, which a sequence may have lost in a fail-over.
-- Returns it as a number and as text, with the key of the entity; nothing if the partition has no more ids.
-- KEYS sequence   STRING     sequence of the partition
-- ARGV prefix     string     prefix of the entities' keys in the partition
-- ARGV partition  int        what ids leave as a remainder: number of the partition
-- ARGV partitions int        by how much ids of the sequence differ: number of partitions
-- ARGV largest    int        largest id
local function new_entity()
  local id, text, key
  repeat
    id = redis.call("INCR", sequence) * tonumber(partitions) + tonumber(partition)
    if id > tonumber(largest) then
      redis.call("DECR", sequence)
      return
    end
    text = string.format("%d", id)
    key = prefix .. text
  until redis.call("EXISTS", key) == 0
  return id, text, key
end
