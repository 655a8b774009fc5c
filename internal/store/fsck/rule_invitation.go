package fsck

// Invitations.
const (
	// RuleInvitationEntry: an invitation has a code, uses and times, under the hash of the code. Repair removes others.
	RuleInvitationEntry Rule = "invitation-entry"
	// RuleInvitationCap: at most forum.InvitationsKept of a user are kept. Only reported.
	RuleInvitationCap Rule = "invitation-cap"
	// RuleInvitationUse: who took a use of an invitation registered with it, and the reverse, as long as the invitation is
	// kept. Repair gives uses of others back; one that was not noted is only reported.
	RuleInvitationUse Rule = "invitation-use"
)
