package fsck

import "agora/internal/store/check"

// Rule names an invariant of the data.
type Rule = check.Rule

// Keys.
const (
	// RuleUnknownKey: every key matches a known pattern and is in its partition. Only reported, never deleted.
	RuleUnknownKey Rule = "unknown-key"
	// RuleKeyType: every key has the type of its pattern. Only reported.
	RuleKeyType Rule = "key-type"
	// RuleField: a hash of an object has no field that is unknown, or belongs into the other one. Only reported.
	RuleField Rule = "field"
	// RuleExpiryMissing: temporary keys have an expiry. Repair sets the full lifetime, or an hour
	// if the key should have expired already.
	RuleExpiryMissing Rule = "expiry-missing"
	// RuleExpiryLong: no temporary key lives longer than its kind may. Repair shortens the expiry.
	RuleExpiryLong Rule = "expiry-long"
	// RuleExpiryShort: a set of sessions or API tokens outlives the last of them, the voters of an article its voting,
	// the rank of a day the next day, a fence its one or two hours. Repair lengthens the expiry.
	RuleExpiryShort Rule = "expiry-short"
	// RuleExpiryUnexpected: permanent keys have no expiry. Repair removes it.
	RuleExpiryUnexpected Rule = "expiry-unexpected"
	// RuleLayout: the layout is that of this program. Only reported.
	RuleLayout Rule = "layout"
	// RuleChanges: the changes to a topic's comments are at most as late as the topic's last one, and name comments.
	// Repair deletes them: subscribers read again.
	RuleChanges Rule = "changes"
	// RuleHomeFence: the fences of homes name deleted topics, or revisions that topics have
	// reached. Repair removes others.
	RuleHomeFence Rule = "home-fence"
	// RuleConsumer: a consumer of changes has handled none that is yet to come. Repair removes it; who serves it adds
	// it again, and it begins with a walk.
	RuleConsumer Rule = "consumer"
	// RuleAside: a consumer of changes has set aside as many objects as it says, and tries again while there are any.
	// Repair counts them, and makes them due.
	RuleAside Rule = "consumer-aside"
)

// Partitions.
const (
	// RuleStats: a partition's counters are the numbers of its active users, open topics and live
	// comments in open topics. Repair sets them.
	RuleStats Rule = "stats"
	// RuleMarkOrphan: a dirty mark is on an object that exists. Repair removes it.
	RuleMarkOrphan Rule = "mark-orphan"
	// RuleTaskName: a task is of a known kind and has work to do. Repair deletes it.
	RuleTaskName Rule = "task-name"
	// RuleTaskFields: a task has a token, attempts and a cursor of its kind; the cursor of a vote
	// task names the current vote. Repair starts the task again.
	RuleTaskFields Rule = "task-fields"
	// RuleTaskListed: every task is either due or dead, and every such entry is a task. Repair makes a task due, and
	// removes other entries.
	RuleTaskListed Rule = "task-listed"
	// RuleTaskDead: no task is dead. Repair makes it due again, under a new token.
	RuleTaskDead Rule = "dead-task"
)

// Users.
const (
	// RuleUserFields: state and role are known, names and times are present. Only reported.
	RuleUserFields Rule = "user-fields"
	// RuleUserPartition: a user is in the partition of the login, an imported one in that of the
	// source. Only reported.
	RuleUserPartition Rule = "user-partition"
	// RuleUserClaim: an active user's login, and e-mail if any, are claimed with the user's id and
	// the nonce of each. Repair claims free names.
	RuleUserClaim Rule = "user-claim"
	// RuleUnfinished: a registration, or a change of e-mail or login, is completed or abandoned within a minute. Repair
	// abandons it.
	RuleUnfinished Rule = "unfinished"
	// RuleLooks: a user's account names the claims on all looks of the login, which are made if they were free. Repair
	// makes them.
	RuleLooks Rule = "looks"
	// RuleDeletedUser: a deleted account has no name, e-mail, password, role or nonce. Repair
	// removes them.
	RuleDeletedUser Rule = "deleted-user"
	// RuleRelease: claims to be released are marked for the sweeper. Repair releases them.
	RuleRelease Rule = "release-unmarked"
	// RuleStaleClaim: a claim belongs to an active user with that name and nonce, belongs to a
	// registration or change of e-mail in progress, or is about to be released. Repair releases it.
	RuleStaleClaim Rule = "stale-claim"
	// RuleErasure: if what a deleted user wrote is to be deleted, a task does so. Repair arms it.
	RuleErasure Rule = "erasure"
	// RuleExternalRecord: an account at an issuer leads to the user who has it, also after the user was deleted, so
	// that no other user is made for it. Repair writes that.
	RuleExternalRecord Rule = "external-record"
	// RulePrepared: a member who has not come yet has posted nothing. Repair notes that the member has come.
	RulePrepared Rule = "prepared"
	// RuleInvitationUse: who took a use of an invitation registered with it, and the reverse, as long as the invitation
	// is kept. Repair gives uses of others back; one that was not noted is only reported.
	RuleInvitationUse Rule = "invitation-use"
	// RuleBan: a ban has a scope, an end, a reason and an act that was not ended; who is banned from signing in has no
	// sessions. Repair ends them, and removes what is left of no ban.
	RuleBan Rule = "ban"
	// RuleRejection: an application that is rejected was so by an act. Only reported.
	RuleRejection Rule = "rejection"
	// RuleModerators: the moderators of a category are the users who moderate it, and the category exists. Repair
	// follows the users, but for categories that do not exist.
	RuleModerators Rule = "moderators"
)
