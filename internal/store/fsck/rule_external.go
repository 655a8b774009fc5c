package fsck

// Accounts at issuers of tokens.
const (
	// RuleExternalEntry: an account at an issuer is "issued:loggedOut applied:said issuer subject", under its hash. Repair removes others.
	RuleExternalEntry Rule = "external-entry"
	// RuleExternalRecord: an account at an issuer leads to the user who has it, also after the user was deleted, so that
	// no other user is made for it. Repair writes that.
	RuleExternalRecord Rule = "external-record"
	// RuleExternalOrphan: such a record is of no user who does not have the account. Repair deletes it.
	RuleExternalOrphan Rule = "external-orphan"
	// RulePrepared: a member who has not come yet has posted nothing. Repair notes that the member has come.
	RulePrepared Rule = "prepared"
)
