-- Reports whether the caller moderates what is in a category, "0" for none.
-- ARGV moderator flag   whether the caller is a moderator of the site
-- ARGV moderated string ids of the categories that the caller moderates, with a space before and after each; "" for none
local function moderates_topic(category)
  return moderator or (category ~= "0" and string.find(moderated, " " .. (category or "") .. " ", 1, true) ~= nil)
end
