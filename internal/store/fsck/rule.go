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
	// RuleIdemValue: an idempotency record reads "time input-hash id", followed by a nonce after a
	// registration. Repair deletes it.
	RuleIdemValue Rule = "idem-value"
	// RuleIdemOwner: an idempotency record belongs to an active or deleted user, or to no user.
	// Repair deletes it.
	RuleIdemOwner Rule = "idem-owner"
	// RuleClickOwner: a click mark belongs to a topic that exists. Repair deletes it.
	RuleClickOwner Rule = "click-owner"
	// RuleSnapshotValue: a snapshot is a time and rows of distinct topics. Repair deletes it; its
	// readers start again from the first page.
	RuleSnapshotValue Rule = "snapshot-value"
	// RuleRankingValue: a stored ranking is named by the hash of its value, and has at most as many
	// comments as its list. Repair deletes it, as snapshots.
	RuleRankingValue Rule = "ranking-value"
	// RuleChanges: the changes to a topic's comments are at most as late as the topic's last one, and name comments.
	// Repair deletes them: subscribers read again.
	RuleChanges Rule = "changes"
	// RuleRevisions: the last of the kept revisions of a text is the present one, and each other one has its text, as long
	// as it says. Repair removes those without text, and texts without revision or that cannot be read.
	RuleRevisions Rule = "revisions"
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
	// RuleTaskUnlisted: every task is due or dead. Repair makes it due.
	RuleTaskUnlisted Rule = "task-unlisted"
	// RuleTaskMissing: every due or dead entry is a task. Repair removes the entry.
	RuleTaskMissing Rule = "task-missing"
	// RuleTaskTwice: no task is both due and dead. Repair keeps it due.
	RuleTaskTwice Rule = "task-twice"
	// RuleTaskDead: no task is dead. Repair makes it due again, under a new token.
	RuleTaskDead Rule = "dead-task"
)

// Topics and comments.
const (
	// RuleTopicFields: kind, state and format are known, numbers are well formed, times are in
	// order. Only reported.
	RuleTopicFields Rule = "topic-fields"
	// RuleTopicAuthor: the author is an active or deleted user, or the ghost. Only reported.
	RuleTopicAuthor Rule = "topic-author"
	// RuleTopicPartition: a topic is in its author's partition, the ghost's in that of its source.
	// Only reported.
	RuleTopicPartition Rule = "topic-partition"
	// RuleClickBase: the imported clicks do not exceed the click count. Repair raises the count.
	RuleClickBase Rule = "click-base"
	// RuleTopicCategory: an open topic's category exists; a discussion has one, a status none.
	// Repair removes an article from a lost category, and a status from any.
	RuleTopicCategory Rule = "topic-category"
	// RuleTopicLeft: an unmarked topic records no category or tag as left. Repair removes it from
	// their indexes.
	RuleTopicLeft Rule = "topic-left"
	// RuleTopicComments: the counter is the number of live comments. Repair sets it.
	RuleTopicComments Rule = "topic-comments"
	// RuleTopicNumber: the last comment number assigned is at least that of every comment. Repair
	// raises it.
	RuleTopicNumber Rule = "topic-number"
	// RuleTopicActive: a topic's last activity is no earlier than its posting and its comments.
	// Repair sets it.
	RuleTopicActive Rule = "topic-active"
	// RuleTopicList: a topic lists only its own comments, by number. Repair removes missing ones
	// and sets scores.
	RuleTopicList Rule = "topic-list"
	// RuleTopicReplies: the list of replies is the comments without a parent, by number. Repair
	// rewrites it.
	RuleTopicReplies Rule = "topic-replies"
	// RuleTagFields: the tags of a topic are distinct lines "id name", with the id of the name.
	// Repair rewrites them from their names.
	RuleTagFields Rule = "tag-fields"
	// RuleTagCap: a topic has at most MaxTopicTags tags. Only reported.
	RuleTagCap Rule = "tag-cap"
	// RuleTopicFanOut: a topic has a pending fan-out only while it is marked for the sweeper, and
	// not for a future revision. Repair writes its indexes and homes.
	RuleTopicFanOut Rule = "topic-fan-out"
	// RuleTopicTombstones: the deleted comments that a topic lists are its tombstones, by number.
	// Repair rewrites the list.
	RuleTopicTombstones Rule = "topic-tombstones"
	// RuleTopicAuthors: a topic records author and number of each of its live comments, and of no
	// others. Repair rewrites them.
	RuleTopicAuthors Rule = "topic-authors"
	// RuleDayCount: a topic records the latest day with comments, tombstones included, and the
	// numbers of live comments on that day and the day before. Repair sets them.
	RuleDayCount Rule = "day-count"
	// RuleCommentFields: format and numbers are well formed. Only reported.
	RuleCommentFields Rule = "comment-fields"
	// RuleCommentAuthor: the author is an active or deleted user, or the ghost. Only reported.
	RuleCommentAuthor Rule = "comment-author"
	// RuleCommentTopic: a comment's topic exists. Only reported.
	RuleCommentTopic Rule = "comment-topic"
	// RuleCommentUnlisted: a comment is in its topic's list. Repair adds it.
	RuleCommentUnlisted Rule = "comment-unlisted"
	// RuleCommentNumber: no two comments of a topic have the same number. Only reported.
	RuleCommentNumber Rule = "comment-number"
	// RuleCommentParent: the parent is an earlier comment of the same topic. Only reported.
	RuleCommentParent Rule = "comment-parent"
	// RuleCommentDepth: a reply is one level deeper than its parent. Repair sets the depth.
	RuleCommentDepth Rule = "comment-depth"
	// RuleCommentReplies: the counter is the number of live replies. Repair sets it.
	RuleCommentReplies Rule = "comment-replies"
	// RuleReplyList: the list of replies to a comment is its replies, by number. Repair rewrites
	// it.
	RuleReplyList Rule = "reply-list"
	// RuleHidden: what is hidden, and nothing else, is listed with the time of hiding, from which its end is counted.
	// Repair rewrites the entry.
	RuleHidden Rule = "hidden"
	// RuleTombstone: a deleted comment has no text, and one that is deleted or hidden a revision of at least 2. Repair
	// sets them.
	RuleTombstone Rule = "tombstone"
)

// Votes.
const (
	// RuleVotesCount: the vote counts are the imported base plus the sizes of the sets. After
	// voting on an article is over, its sets may be missing. Repair sets the counts.
	RuleVotesCount Rule = "votes-count"
	// RuleVotesBoth: no user votes both ways. Repair removes both votes, because the intended one
	// is unknown.
	RuleVotesBoth Rule = "votes-both"
	// RuleVoteTime: an article with voters, and nothing else, records the time of the latest vote.
	// Repair sets it to now, or removes it.
	RuleVoteTime Rule = "vote-time"
	// RuleCommentVotes: the vote counts in a comment's topic and parent are the comment's, if it
	// has votes; there are no other entries. Repair rewrites them.
	RuleCommentVotes Rule = "comment-votes"
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
	// RuleUserTopics: the counter is the length of the profile. Repair sets it.
	RuleUserTopics Rule = "user-topics"
	// RuleProfileMissing: an open topic is in its author's profile, by time of posting. Repair adds
	// it.
	RuleProfileMissing Rule = "profile-missing"
	// RuleProfileStray: a profile has no other entries. Repair removes them.
	RuleProfileStray Rule = "profile-stray"
	// RuleRegistration: a registration is completed or abandoned within a minute. Repair abandons it.
	RuleRegistration Rule = "stale-registration"
	// RuleEmailChange: a change of e-mail is completed or abandoned within a minute. Repair abandons it.
	RuleEmailChange Rule = "stale-email-change"
	// RuleLoginChange: a change of login is completed or abandoned within a minute. Repair abandons it.
	RuleLoginChange Rule = "stale-login-change"
	// RuleDeletedUser: a deleted account has no name, e-mail, password, role or nonce. Repair
	// removes them.
	RuleDeletedUser Rule = "deleted-user"
	// RuleRelease: claims to be released are marked for the sweeper. Repair releases them.
	RuleRelease Rule = "release-unmarked"
	// RuleStaleClaim: a claim belongs to an active user with that name and nonce, belongs to a
	// registration or change of e-mail in progress, or is about to be released. Repair releases it.
	RuleStaleClaim Rule = "stale-claim"
	// RuleNameList: the list of users has each active user by login, that of applicants each account to be approved, and
	// that of tags each tag that topics have by name, number of topics and newest topic; they have no other entries.
	// Repair rewrites them.
	RuleNameList Rule = "name-list"
	// RuleSessions: a user has at most MaxSessions sessions. Repair ends the oldest.
	RuleSessions Rule = "session-count"
	// RuleSessionEntry: a session is a SHA-256 and "created seen ends:proved:origin userAgent". Repair ends it.
	RuleSessionEntry Rule = "session-entry"
	// RuleTokens: a user has at most MaxTokens API tokens that are not dead. Repair revokes the oldest.
	RuleTokens Rule = "token-count"
	// RuleTokenEntry: an API token is a SHA-256 and "created seen ends scopes:origin name". Repair revokes it.
	RuleTokenEntry Rule = "token-entry"
)

// Edges: follows, blocks, bookmarks and list memberships.
const (
	// RuleEdgeMember: both sides of an edge name users, categories, tags and lists by their ids.
	// Repair removes other members.
	RuleEdgeMember Rule = "edge-member"
	// RuleEdgeMissing: an edge is on its reverse side with the same time, unless a task will update it.
	// Repair follows the user's side.
	RuleEdgeMissing Rule = "edge-missing"
	// RuleEdgeStray: a reverse side has no other edges. Repair removes them.
	RuleEdgeStray Rule = "edge-stray"
	// RuleEdgeTarget: an edge leads to an active user, an open topic, or an existing category or
	// tag. Repair ends it.
	RuleEdgeTarget Rule = "edge-target"
	// RuleEdgeSelf: no user follows or blocks themselves. Repair ends the edge.
	RuleEdgeSelf Rule = "edge-self"
	// RuleEdgeBlocked: no user follows another while either blocks the other. Repair ends the edge.
	RuleEdgeBlocked Rule = "edge-blocked"
	// RuleEdgeEnded: a tombstone on a reverse side is not in the future, and the edge has not existed
	// since an earlier time. Repair removes the tombstone.
	RuleEdgeEnded Rule = "edge-ended"
	// RuleEdgeTime: no edge and no list membership is newer than the recorded last change of the
	// user's edges. Repair sets that time.
	RuleEdgeTime Rule = "edge-time"
	// RuleFollowCount: the counters of an active user are the numbers of followed users and of
	// followers. Repair sets them.
	RuleFollowCount Rule = "follow-count"
	// RuleAccountCleanup: a deleted user has no edges, lists, marks or home, and no edges lead to
	// the user, unless a task will end them. Repair ends them.
	RuleAccountCleanup Rule = "account-cleanup"
	// RuleErasure: if what a deleted user wrote is to be deleted, a task does so. Repair arms it.
	RuleErasure Rule = "erasure"
	// RuleBookmarkCap: a user has at most MaxBookmarks bookmarks, and watches at most MaxWatched topics. Only reported.
	RuleBookmarkCap Rule = "bookmark-cap"
	// RuleReadMark: a read mark is a comment number that the topic has assigned, or a time, at most
	// now, of a timeline that can exist. Repair deletes it.
	RuleReadMark Rule = "read-mark"
	// RuleReadMarked: every read mark, and nothing else, is listed with its time. Repair follows
	// the marks.
	RuleReadMarked Rule = "read-marked"
	// RuleReadMarkCap: a user has at most MaxReadMarks marks. Repair deletes the oldest.
	RuleReadMarkCap Rule = "read-mark-cap"
	// RuleListFields: a list of users has a name and a time, and its folded name matches the name.
	// Repair folds the name.
	RuleListFields Rule = "list-fields"
	// RuleListOwner: a list belongs to an active user of its partition. Repair deletes the lists of
	// deleted users.
	RuleListOwner Rule = "list-owner"
	// RuleListPosition: a user's lists are all that belong to the user, by id. Repair rewrites
	// them.
	RuleListPosition Rule = "list-position"
	// RuleListName: each folded name leads to the user's list of that name; there are no other
	// entries. Repair corrects them, unless two lists claim a name.
	RuleListName Rule = "list-name"
	// RuleListCap: a user has at most MaxLists lists, each of at most MaxListMembers users. Only reported.
	RuleListCap Rule = "list-cap"
)

// Homes.
const (
	// RuleHomeFence: the fences of homes name deleted topics, or revisions that topics have
	// reached. Repair removes others.
	RuleHomeFence Rule = "home-fence"
)

// Imports.
const (
	// RuleSourceValue: the record of an import reads "time src id", followed by a nonce for a user.
	// Repair deletes it; the imported object gets a new one.
	RuleSourceValue Rule = "source-value"
	// RuleSourceOrphan: a record leads to the object imported under its name, or, for a user,
	// possibly to an abandoned registration. Repair deletes it, so that the next import imports the
	// object again.
	RuleSourceOrphan Rule = "source-orphan"
	// RuleSourceMissing: every imported object has a record, except topics deleted with their
	// categories. Repair writes it.
	RuleSourceMissing Rule = "source-missing"
	// RuleSourceTwice: no two objects were imported under one name. Only reported.
	RuleSourceTwice Rule = "source-twice"
)

// Indexes.
const (
	// RuleIndexMissing: an object that belongs in a container is in all its orders in which it has
	// a score. Repair writes it.
	RuleIndexMissing Rule = "index-missing"
	// RuleIndexScore: its scores follow from its times, votes and comments, and it is only in
	// orders in which it has a score. Repair writes it.
	RuleIndexScore Rule = "index-score"
	// RuleIndexStray: a container has no other members. Repair removes them.
	RuleIndexStray Rule = "index-stray"
	// RuleIndexMember: members are well formed. Repair removes malformed ones.
	RuleIndexMember Rule = "index-member"
	// RuleIndexRev: the indexed revision is present, and not above the object's. Repair sets it.
	RuleIndexRev Rule = "index-rev"
	// RuleIndexTombstone: a removed member is not in the orders, and its revision is known. Repair
	// deletes the tombstone.
	RuleIndexTombstone Rule = "index-tombstone"
	// RuleTagName: a tag has a name that folds to its id as long as its index has topics or the tag
	// has followers. Repair takes the name from one of the topics, or deletes it. The wrong name of
	// a tag without topics is only reported.
	RuleTagName Rule = "tag-name"
)
