package fsck

// Rule names an invariant of the data.
type Rule string

// Keys.
const (
	// RuleUnknownKey: every key is of a known pattern and lies in its partition. Never deleted, only told.
	RuleUnknownKey Rule = "unknown-key"
	// RuleKeyType: every key is of the type that its pattern has. Only told.
	RuleKeyType Rule = "key-type"
	// RuleExpiryMissing: what passes expires. Repair gives it its full life, or an hour
	// when it should be gone.
	RuleExpiryMissing Rule = "expiry-missing"
	// RuleExpiryLong: nothing that passes lives longer than its kind may. Repair shortens it.
	RuleExpiryLong Rule = "expiry-long"
	// RuleExpiryShort: what holds sessions outlives the last of them, the voters of an
	// article its voting, the rank of a day the next day, what homes must not take
	// an hour or two. Repair lengthens it.
	RuleExpiryShort Rule = "expiry-short"
	// RuleExpiryUnexpected: what is to stay has no expiry. Repair takes it away.
	RuleExpiryUnexpected Rule = "expiry-unexpected"
	// RuleOrphanKey: a list or counter belongs to an object that exists. Repair
	// deletes lists that can be made again from what they list; it keeps the votes
	// on and the comments of a topic that was lost.
	RuleOrphanKey Rule = "orphan-key"
	// RuleLayout: the layout is that of this program. Only told.
	RuleLayout Rule = "layout"
	// RuleIdemValue: an idempotency record reads "time input-hash id", with a nonce after a registration. Repair deletes
	// it.
	RuleIdemValue Rule = "idem-value"
	// RuleIdemOwner: an idempotency record is of an active or deleted user, or of nobody. Repair deletes it.
	RuleIdemOwner Rule = "idem-owner"
	// RuleClickOwner: a click mark is of a topic that exists. Repair deletes it.
	RuleClickOwner Rule = "click-owner"
	// RuleSnapshotValue: a snapshot is a time and rows of topics, each once. Repair
	// deletes it: who pages in it begins again.
	RuleSnapshotValue Rule = "snapshot-value"
	// RuleRankingValue: a kept ranking is named by the hash of its value, and ranks no
	// more comments than its list has. Repair deletes it, as snapshots.
	RuleRankingValue Rule = "ranking-value"
)

// Partitions.
const (
	// RuleSequence: no id is larger than the sequence it came from. Repair raises the sequence.
	RuleSequence Rule = "sequence"
	// RuleStats: a partition's counters are its active users, open topics and live
	// comments in open topics. Repair sets them.
	RuleStats Rule = "stats"
	// RuleMarkOrphan: a dirty mark is of something that exists. Repair takes it away.
	RuleMarkOrphan Rule = "mark-orphan"
	// RuleMarkOld: the sweeper takes a dirty mark up within seconds. Repair writes the indexes.
	RuleMarkOld Rule = "mark-old"
	// RuleTaskName: a task is of a known kind and has something to do. Repair deletes it.
	RuleTaskName Rule = "task-name"
	// RuleTaskFields: a task has a token, attempts and a cursor of its kind, which names the
	// vote as it stands if the task is about one. Repair starts it again.
	RuleTaskFields Rule = "task-fields"
	// RuleTaskUnlisted: a task is due or dead. Repair makes it due.
	RuleTaskUnlisted Rule = "task-unlisted"
	// RuleTaskMissing: what is due or dead is a task. Repair takes the name away.
	RuleTaskMissing Rule = "task-missing"
	// RuleTaskTwice: a task is not both due and dead. Repair leaves it due.
	RuleTaskTwice Rule = "task-twice"
	// RuleTaskDead: no task was given up. Repair makes it due again, under a new token.
	RuleTaskDead Rule = "dead-task"
)

// Topics and comments.
const (
	// RuleTopicFields: kind, state and format are known ones, numbers are numbers, times are in order. Only told.
	RuleTopicFields Rule = "topic-fields"
	// RuleTopicAuthor: the author is an active or deleted user, or nobody. Only told.
	RuleTopicAuthor Rule = "topic-author"
	// RuleTopicPartition: a topic lives in its author's partition, the ghost's in that of its source. Only told.
	RuleTopicPartition Rule = "topic-partition"
	// RuleClickBase: the imported clicks are no more than those shown. Repair shows them.
	RuleClickBase Rule = "click-base"
	// RuleTopicCategory: an open topic's category exists; a discussion has one, a status none. Repair takes
	// an article out of a lost category, a status out of any.
	RuleTopicCategory Rule = "topic-category"
	// RuleTopicLeft: a topic at rest remembers no category or tag that it left. Repair takes it out of them.
	RuleTopicLeft Rule = "topic-left"
	// RuleTopicComments: the counter is the number of live comments. Repair sets it.
	RuleTopicComments Rule = "topic-comments"
	// RuleTopicNumber: the last number given out is at least that of every comment. Repair raises it.
	RuleTopicNumber Rule = "topic-floor"
	// RuleTopicActive: a topic was last active at its posting and at every comment's, or later. Repair sets it.
	RuleTopicActive Rule = "topic-active"
	// RuleTopicList: a topic lists comments of its own by number. Repair takes out what does not exist and sets scores.
	RuleTopicList Rule = "topic-list"
	// RuleTopicReplies: the list of replies is the comments without parent by number. Repair makes it so.
	RuleTopicReplies Rule = "topic-replies"
	// RuleTagFields: the tags of a topic are lines "id name", each once, each id that of
	// its name. Repair makes them so by their names.
	RuleTagFields Rule = "tag-fields"
	// RuleTagCap: a topic has at most MaxTopicTags tags. Only told.
	RuleTagCap Rule = "tag-cap"
	// RuleTopicFanOut: a topic notes that its homes are to be written only while it is marked
	// for the sweeper, and for no revision to come. Repair writes its indexes and homes.
	RuleTopicFanOut Rule = "topic-fan"
	// RuleTopicTombstones: what a topic lists as deleted comments are its tombstones by number.
	// Repair makes it so.
	RuleTopicTombstones Rule = "topic-gone"
	// RuleTopicAuthors: a topic knows author and number of each of its live comments, and no
	// others. Repair makes it so.
	RuleTopicAuthors Rule = "topic-authors"
	// RuleDayCount: a topic knows the latest day with comments, tombstones included, and
	// how many live ones there are of it and of the day before. Repair sets them.
	RuleDayCount Rule = "day-count"
	// RuleCommentFields: format and numbers are well formed. Only told.
	RuleCommentFields Rule = "comment-fields"
	// RuleCommentAuthor: the author is an active or deleted user, or nobody. Only told.
	RuleCommentAuthor Rule = "comment-author"
	// RuleCommentTopic: a comment's topic exists. Only told.
	RuleCommentTopic Rule = "comment-topic"
	// RuleCommentUnlisted: a comment is in its topic's list. Repair puts it there.
	RuleCommentUnlisted Rule = "comment-unlisted"
	// RuleCommentNumber: no two comments of a topic have the same number. Only told.
	RuleCommentNumber Rule = "comment-floor"
	// RuleCommentParent: the parent is an earlier comment of the same topic. Only told.
	RuleCommentParent Rule = "comment-parent"
	// RuleCommentDepth: a reply is one deeper than its parent. Repair sets it.
	RuleCommentDepth Rule = "comment-depth"
	// RuleCommentReplies: the counter is the number of live replies. Repair sets it.
	RuleCommentReplies Rule = "comment-replies"
	// RuleReplyList: the list of replies to a comment is its replies by number. Repair makes it so.
	RuleReplyList Rule = "reply-list"
	// RuleTombstone: a deleted comment has no text and revision 2, a live one revision 1. Repair makes it so.
	RuleTombstone Rule = "tombstone"
)

// Votes.
const (
	// RuleVotesCount: shown votes are the imported base and those in the set; when voting
	// on an article is over, each of its sets may be gone. Repair sets them.
	RuleVotesCount Rule = "votes-count"
	// RuleVotesBoth: nobody votes both ways. Repair takes both votes away: which one was meant is not known.
	RuleVotesBoth Rule = "votes-both"
	// RuleVotesEntry: voters are active or deleted users, and stand in their set by id.
	// Repair moves them there, and takes out what is no user.
	RuleVotesEntry Rule = "votes-entry"
	// RuleVoteTime: an article that has voters, and nothing else, knows when the last of
	// them voted. Repair sets it to now, or takes it away.
	RuleVoteTime Rule = "vote-time"
	// RuleVoteLog: the log of an active user says of each article what its sets say, while
	// these are there, unless a task will see to it or newer votes have pushed it out; at
	// no later time than the last vote on the article; nothing of other topics; and no
	// more than VoteLog. Repair goes by the sets.
	RuleVoteLog Rule = "vote-log"
	// RuleCommentVotes: the tallies of a topic and of a comment's parent say how many votes the
	// comment has, if it has any, and nothing else. Repair writes them.
	RuleCommentVotes Rule = "tally"
)

// Users.
const (
	// RuleUserFields: state and role are known ones, names and times are there. Only told.
	RuleUserFields Rule = "user-fields"
	// RuleUserPartition: a user lives in the partition of the login, an imported one in that of the source. Only told.
	RuleUserPartition Rule = "user-partition"
	// RuleUserClaim: an active user's login and e-mail, if there is one, are claimed
	// with the user's id and the nonce of each. Repair claims what is free.
	RuleUserClaim Rule = "user-claim"
	// RuleUserTopics: the counter is the length of the profile. Repair sets it.
	RuleUserTopics Rule = "user-topics"
	// RuleProfileMissing: an open topic is in its author's profile by time of posting. Repair puts it there.
	RuleProfileMissing Rule = "profile-missing"
	// RuleProfileStray: a profile holds nothing else. Repair takes it out.
	RuleProfileStray Rule = "profile-stray"
	// RuleRegistration: a registration is finished or given up within a minute. Repair gives it up.
	RuleRegistration Rule = "stale-registration"
	// RuleEmailChange: a change of e-mail is finished or given up within a minute. Repair gives it up.
	RuleEmailChange Rule = "stale-email-change"
	// RuleDeletedUser: of a deleted account no name, e-mail, password, role or nonce is left. Repair takes them away.
	RuleDeletedUser Rule = "deleted-user"
	// RuleRelease: claims to be given back are marked for the sweeper. Repair gives them back.
	RuleRelease Rule = "release-unmarked"
	// RuleStaleClaim: a claim is of an active user with that name and nonce, of a registration
	// or change of e-mail under way, or about to be given back. Repair gives it back.
	RuleStaleClaim Rule = "stale-claim"
	// RuleSessions: a user has at most MaxSessions. Repair ends the oldest.
	RuleSessions Rule = "session-count"
	// RuleSessionEntry: a session is a SHA-256 and "created seen ends userAgent". Repair ends it.
	RuleSessionEntry Rule = "session-entry"
)

// Edges: who follows and blocks whom and what, keeps which topic, and is on which list.
const (
	// RuleEdgeMember: both sides of edges name users, categories, tags and lists by their
	// ids. Repair takes out what does not.
	RuleEdgeMember Rule = "edge-member"
	// RuleEdgeMissing: an edge stands on its far side, since the same time, unless a task
	// will see to it. Repair goes by the user's side.
	RuleEdgeMissing Rule = "edge-missing"
	// RuleEdgeStray: nothing else stands on a far side. Repair takes it out.
	RuleEdgeStray Rule = "edge-stray"
	// RuleEdgeTarget: an edge leads to an active user, an open topic, a category or a tag
	// that is there.
	// Repair ends it.
	RuleEdgeTarget Rule = "edge-target"
	// RuleEdgeSelf: nobody follows or blocks themselves. Repair ends it.
	RuleEdgeSelf Rule = "edge-self"
	// RuleEdgeBlocked: nobody follows somebody with whom they are in a block. Repair ends it.
	RuleEdgeBlocked Rule = "edge-blocked"
	// RuleEdgeEnded: who has left a far side did so before now, and is not there since
	// earlier. Repair forgets that they left.
	RuleEdgeEnded Rule = "edge-ended"
	// RuleEdgeTime: no edge of a user, and nobody on a list of theirs, is newer than the
	// last change of these. Repair sets its time.
	RuleEdgeTime Rule = "edge-time"
	// RuleFollowCount: the counters of an active user are how many users they follow, and
	// how many follow them. Repair sets them.
	RuleFollowCount Rule = "follow-count"
	// RuleAccountCleanup: a deleted user has no edges, lists, marks or home, and no edges lead to them,
	// unless a task will see to it. Repair ends them.
	RuleAccountCleanup Rule = "departed"
	// RuleBookmarkCap: a user has at most MaxBookmarks bookmarks. Only told.
	RuleBookmarkCap Rule = "bookmark-cap"
	// RuleReadMark: up to where a user has read is a number that a topic has given out, or a
	// time, at most now, of a timeline that there can be. Repair forgets it.
	RuleReadMark Rule = "read-mark"
	// RuleReadMarked: whatever a user has marked, and nothing else, is known with the time
	// of that. Repair goes by the marks.
	RuleReadMarked Rule = "read-marked"
	// RuleReadMarkCap: a user has at most MaxReadMarks marks. Repair forgets the oldest.
	RuleReadMarkCap Rule = "read-mark-cap"
	// RuleListFields: name and time of a list of users are there, the folded name is that of
	// the name. Repair folds the name.
	RuleListFields Rule = "list-fields"
	// RuleListOwner: a list belongs to an active user of its partition. Repair deletes
	// those of deleted users.
	RuleListOwner Rule = "list-owner"
	// RuleListPosition: a user's lists are all that belong to them, by id. Repair makes it so.
	RuleListPosition Rule = "list-place"
	// RuleListName: each folded name leads to the user's list of that name and to nothing
	// else. Repair makes it so, unless two claim it.
	RuleListName Rule = "list-name"
	// RuleListCap: a user has at most MaxLists lists, of at most MaxListMembers users. Only told.
	RuleListCap Rule = "list-cap"
)

// Notifications.
const (
	// RuleNoteEntry: each of a user's notifications stands at its number, is well formed and
	// is found by its subject; there is nothing else; the unread ones are some of them.
	// Repair drops what does not agree.
	RuleNoteEntry Rule = "note-entry"
	// RuleNoteSubject: a notification is of something that there is, done by its author to
	// the user's own, unless it is a mention. Repair drops it.
	RuleNoteSubject Rule = "note-subject"
	// RuleNoteNumber: no number is larger than the last one given out, and the time of what
	// has gone is one. Repair raises the first and forgets the second.
	RuleNoteNumber Rule = "note-number"
	// RuleNoteCap: at most MaxNotifications are kept. Repair drops the oldest.
	RuleNoteCap Rule = "note-cap"
	// RuleNotify: what a comment or topic is still to tell is left to a task. Repair makes it.
	RuleNotify Rule = "tell"
	// RuleNotified: whom a comment or topic has told has the notification, unless it is gone
	// with those as old, or the account is. Repair tells them again.
	RuleNotified Rule = "told"
)

// Homes.
const (
	// RuleHomeWatermark: the watermark of a home is a member of indexes, or says that the home is
	// not kept up. Repair fills it up.
	RuleHomeWatermark Rule = "home-floor"
	// RuleHomeMissing: a home holds what its sources do above its watermark, but for topics from
	// categories and tags whose authors are in a block with its owner, by time of posting.
	// Repair fills it up.
	RuleHomeMissing Rule = "home-missing"
	// RuleHomeStray: nothing else is in a home. Repair takes it out.
	RuleHomeStray Rule = "home-stray"
	// RuleHomeSize: a home holds at most HomeSize topics. Repair fills it up, which cuts it.
	RuleHomeSize Rule = "home-size"
	// RuleHomeFence: what homes must not take are topics, deleted ones or revisions that there
	// were. Repair forgets it.
	RuleHomeFence Rule = "home-bar"
)

// Imports.
const (
	// RuleSourceValue: the record of an import reads "time src id", with a nonce if it is a user's. Repair
	// deletes it; what it led to gets it again.
	RuleSourceValue Rule = "source-value"
	// RuleSourceOrphan: a record leads to what was imported under its name, or, if
	// it is a user's, perhaps to a registration that came to nothing. Repair
	// deletes it, so that the next import brings it again.
	RuleSourceOrphan Rule = "source-orphan"
	// RuleSourceMissing: whatever was imported has a record, but for topics taken
	// back with their categories. Repair writes it.
	RuleSourceMissing Rule = "source-missing"
	// RuleSourceTwice: no two things were imported under one name. Only told.
	RuleSourceTwice Rule = "source-twice"
	// RuleRoomSource: categories and tabs of other sites became ones whose ids were
	// given out; a category's place in a tab is "placed". Repair forgets it.
	RuleRoomSource Rule = "room-source"
)

// Indexes.
const (
	// RuleIndexMissing: what belongs into a container is in all its orders that it has a score for. Repair writes it.
	RuleIndexMissing Rule = "index-missing"
	// RuleIndexScore: it stands there by the times, votes and comments that it has, and
	// only in those orders that it has a score for. Repair writes it.
	RuleIndexScore Rule = "index-score"
	// RuleIndexStray: nothing else is in a container. Repair takes it out.
	RuleIndexStray Rule = "index-stray"
	// RuleIndexMember: members are well formed. Repair takes them out.
	RuleIndexMember Rule = "index-member"
	// RuleIndexRev: the revision that was indexed is there, and not above the object's. Repair sets it.
	RuleIndexRev Rule = "index-rev"
	// RuleIndexTombstone: what has left is not in the orders, and its revision is known. Repair forgets that it left.
	RuleIndexTombstone Rule = "index-gone"
	// RuleIndexClosed: the index of a category is open while the category exists and is not being deleted. Repair opens
	// it.
	RuleIndexClosed Rule = "index-closed"
	// RuleIndexOwner: the index of a category that does not exist is closed and empty. Repair closes an empty one.
	RuleIndexOwner Rule = "index-owner"
	// RuleTagName: a tag has a name, which folds to its id, as long as its index holds
	// topics or somebody follows it. Repair takes it from one of the topics, or takes it
	// away; the wrong name of a tag without topics is only told.
	RuleTagName Rule = "tag-name"
)

// Categories and tabs.
const (
	// RuleCategoryFields: name, description and time are there, the folded name is that of the name. Repair folds the
	// name.
	RuleCategoryFields Rule = "category-fields"
	// RuleTabFields: name and time are there, the folded name is that of the name. Repair folds the name.
	RuleTabFields Rule = "tab-fields"
	// RuleName: each folded name leads to its category or tab and to nothing else. Repair makes it so, unless two claim
	// it.
	RuleName Rule = "name"
	// RuleCatalogue: the catalogue is all categories or tabs by id. Repair makes it so.
	RuleCatalogue Rule = "catalogue"
	// RuleDeleting: a category is being deleted if and only if it is marked for the sweeper. Repair gives the deletion up.
	RuleDeleting Rule = "deleting"
	// RuleTabCategory: a tab shows a category if and only if the category knows the tab. Repair makes the link whole, or
	// removes it when one end does not exist.
	RuleTabCategory Rule = "tab-category"
	// RuleTabCount: the counter is the number of the tab's categories. Repair sets it.
	RuleTabCount Rule = "tab-count"
	// RuleTabCap: a tab has at most MaxTabCategories categories. Only told.
	RuleTabCap Rule = "tab-cap"
	// RuleCategoryCap: a category is in at most MaxCategoryTabs tabs. Only told.
	RuleCategoryCap Rule = "category-cap"
)
