-- Computes the score of a category or tab in lists: by position, then by id, which is by age.
local function place(position, id)
  return string.format("%.0f", tonumber(position or "0") * 2147483648 + tonumber(id))
end
