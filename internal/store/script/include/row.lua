-- Reads and writes texts of several parts, separated by spaces, which only the last may have itself; names is ROWS.name.

-- read_row returns the parts by their names, nil if the text has fewer.
local function read_row(names, text)
  local parts, from = {}, 1
  for i = 1, #names - 1 do
    local to = text and string.find(text, " ", from, true)
    if not to then
      return
    end
    parts[names[i]] = string.sub(text, from, to - 1)
    from = to + 1
  end
  parts[names[#names]] = string.sub(text, from)
  return parts
end

-- row_text returns the text with these parts.
local function row_text(names, parts)
  local all = {}
  for i = 1, #names do
    all[i] = parts[names[i]]
  end
  return table.concat(all, " ")
end
