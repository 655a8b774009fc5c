-- Forgets a change of e-mail that is under way.
local function forget_email_change(user)
  redis.call("HDEL", user, "newEmail", "newEmailFold", "newEmailNonce", "newEmailClaim", "newEmailSince")
end
