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
