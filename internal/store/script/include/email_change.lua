-- Removes a change of e-mail that is in progress.
local function forget_email_change(user)
  redis.call("HDEL", internal(user), "newEmail", "newEmailFold", "newEmailNonce", "newEmailClaim", "newEmailSince")
end
