-- What the caller sees and moderates.
-- INCLUDE listed
-- ARGV moderator flag   whether the caller is a moderator of the site
-- ARGV moderated string ids of the categories that the caller moderates, with a space before and after each; "" for none
-- ARGV unseen    string ids of those that the caller does not see, likewise

-- Reports whether the caller sees a category, "0" for none.
local function sees_category(category)
  return unseen == "" or not string.find(unseen, " " .. category .. " ", 1, true)
end

-- Reports whether the caller moderates what is in a category.
local function moderates_topic(category)
  return category and sees_category(category) and
    (moderator or (category ~= "0" and string.find(moderated, " " .. category .. " ", 1, true) ~= nil))
end

-- Reports whether a topic is hidden from the caller: it does not exist, or is in a category that the caller does not see,
-- or it is not listed and the caller is neither its author nor moderates it. A caller who is signed out is not the ghost,
-- though both have no id.
local function hidden(state, author, viewer, category)
  return not state or not sees_category(category) or
    (not listed(state) and (viewer ~= author or viewer == "0") and not moderates_topic(category))
end
