-- Assigns the next id of a partition. Returns it as a number and as text, with the key of the entity;
-- nothing if the partition has no more ids.
-- KEYS sequence   STRING     sequence of the partition
-- ARGV prefix     string     prefix of the entities' keys in the partition
-- ARGV partition  partition  number of the partition
-- ARGV partitions int        number of partitions
-- ARGV largest    int        largest id
local function new_entity()
  local seq = tonumber(redis.call("GET", sequence) or "0") + 1
  local id = seq * tonumber(partitions) + tonumber(partition)
  local text = string.format("%d", id)
  local key = prefix .. text
  if id > tonumber(largest) or redis.call("EXISTS", key) == 1 then
    return
  end
  redis.call("SET", sequence, string.format("%d", seq))
  return id, text, key
end
