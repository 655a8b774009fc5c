package catalogue

import (
	"cmp"

	"agora/internal/forum"
)

// MaxShort is the maximum length of a text in the hash of its post, in bytes. A longer one is a string of its own.
const MaxShort = 1024

// Topic is what is stored of a topic.
var Topic = table("topic", []Field[forum.Topic]{
	{Name: "state", Valid: oneOf(forum.TopicOpen, forum.TopicLocked, forum.TopicHidden, forum.TopicHeld,
		forum.TopicDeleted), Kept: "says that the topic is deleted",
		Required: true, Set: func(t *forum.Topic, v string) { t.State = forum.TopicState(v) },
		Doc: "OPEN, LOCKED, HIDDEN, HELD or DELETED. OPEN and LOCKED are *listed*: in lists and counts"},
	{Name: "audience", Valid: oneOf(forum.Public), Kept: keptPlace, Required: true,
		Set: func(t *forum.Topic, v string) { t.Audience = forum.Audience(v) },
		Doc: "who may see it if it is listed: PUBLIC, everybody. Nobody sees a topic without it"},
	{Name: "kind", Valid: oneOf(forum.Discussion, forum.Article, forum.Status), Kept: keptPlace, Required: true,
		Set: func(t *forum.Topic, v string) { t.Kind = forum.TopicKind(v) }, Doc: "DISCUSSION, ARTICLE or STATUS"},
	{Name: "title", Valid: anyText, Posted: &forum.PostedTitle, Kept: Emptied, Required: true,
		Set: func(t *forum.Topic, v string) { t.Title = v },
		Doc: "as written; of a STATUS the beginning of its content; empty once it is deleted"},
	{Name: "content", Valid: anyText, Posted: &forum.PostedTopic, Kept: Emptied,
		Set: func(t *forum.Topic, v string) { t.Content = v },
		Doc: "the text as written, up to 1,024 bytes; empty once it is deleted"},
	{Name: "long", Valid: at, Set: func(t *forum.Topic, v string) { t.Long = int(Atoi(v)) },
		Doc: "length in bytes of a longer text, which is in `…:text`"},
	{Name: "format", Valid: format, Kept: keptPlace, Required: true,
		Set: func(t *forum.Topic, v string) { t.Format = forum.ContentFormat(v) }, Doc: "MARKDOWN or HTML"},
	{Name: "link", Valid: anyText, Posted: &forum.PostedLink, Set: func(t *forum.Topic, v string) { t.Link = v },
		Doc: "URL"},
	{Name: "author", Valid: count, Kept: keptPlace, Required: true, Set: func(t *forum.Topic,
		v string) {
		t.AuthorID = forum.UserID(Atoi(v))
	},
		Doc: "user id; 0 is the ghost, in imports"},
	{Name: "category", Valid: count, Kept: keptPlace, Required: true,
		Set: func(t *forum.Topic, v string) { t.CategoryID = forum.CategoryID(Atoi(v)) },
		Doc: "category id, 0 for none, as of a STATUS"},
	{Name: "created", Valid: at, Kept: keptPlace, Required: true,
		Set: func(t *forum.Topic, v string) { t.CreatedAt = forum.Time(Atoi(v)) },
		Doc: "time of posting"},
	{Name: "edited", Valid: at, Kept: keptHistory,
		Set: func(t *forum.Topic, v string) { t.EditedAt = forum.Time(Atoi(v)) },
		Doc: "time of the last edit"},
	{Name: "deleted", Valid: at, Kept: "says since when the topic is deleted",
		Set: func(t *forum.Topic, v string) { t.DeletedAt = forum.Time(Atoi(v)) },
		Doc: "time of deletion, by its author or 90 days after it was hidden"},
	{Name: "hidden", Valid: at, Set: func(t *forum.Topic, v string) { t.HiddenAt = forum.Time(Atoi(v)) },
		Doc: "when it was hidden, while HIDDEN"},
	{Name: "active", Valid: at, Kept: keptCounts, Required: true, Set: func(t *forum.Topic,
		v string) {
		t.LastActiveAt = forum.Time(Atoi(v))
	},
		Doc: "time of the last comment, or of posting; never falls"},
	{Name: "clicks", Valid: count, Kept: keptCounts,
		Set: func(t *forum.Topic, v string) { t.ClickCount = int(Atoi(v)) },
		Doc: "clicks, imported ones included"},
	{Name: "comments", Valid: count, Kept: keptCounts, Required: true,
		Set: func(t *forum.Topic, v string) { t.CommentCount = int(Atoi(v)) },
		Doc: "live comments at all depths"},
	{Name: "up", Valid: count, Kept: keptCounts, Set: func(t *forum.Topic, v string) { t.Upvotes = int(Atoi(v)) },
		Doc: "votes shown: base and set; 0 or missing for none. Those of an ARTICLE remain when the sets have " +
			"expired"},
	{Name: "down", Valid: count, Kept: keptCounts,
		Set: func(t *forum.Topic, v string) { t.Downvotes = int(Atoi(v)) }, Doc: "likewise"},
	{Name: "tags", Valid: anyText, Posted: &forum.PostedTag, Kept: Emptied,
		Set: func(t *forum.Topic, v string) { t.Tags = DecodeTags(v) },
		Doc: "a line `id name` for each tag in the order of adding, at most 10; missing or empty if none"},
	{Name: "day", Valid: at, Kept: keptCounts, Set: func(t *forum.Topic, v string) { t.Day = forum.Day(Atoi(v)) },
		Doc: "latest day with comments, tombstones included, in days since 1970-01-01 in the site's zone"},
	{Name: "dayComments", Valid: count, Kept: keptCounts,
		Set: func(t *forum.Topic, v string) { t.DayComments = int(Atoi(v)) },
		Doc: "live comments of that day"},
	{Name: "dayBefore", Valid: count, Kept: keptCounts,
		Set: func(t *forum.Topic, v string) { t.DayBefore = int(Atoi(v)) },
		Doc: "live comments of the day before; missing if it never had any"},
	{Name: "mentions", Valid: anyText, Made: "the content", Set: func(t *forum.Topic,
		v string) {
		t.Mentions = DecodeMentions(v)
	},
		Doc: "`login:user login:user …`, logins folded, `=` for `:` if only quotations have it; missing or " +
			"empty if none"},
	{Name: "revision", Valid: at, Kept: keptHistory, Set: func(t *forum.Topic, v string) { t.Revision = int(Atoi(v)) },
		Doc: "number of the present revision of the text"},
	{Name: "editor", Valid: count, Kept: keptHistory,
		Set: func(t *forum.Topic, v string) { t.EditorID = forum.UserID(Atoi(v)) },
		Doc: "who edited it last"},
	{Name: "revised", Valid: at, Kept: keptHistory,
		Set: func(t *forum.Topic, v string) { t.Since = forum.Time(Atoi(v)) },
		Doc: "when the present revision began, before later edits were merged into it"},
}, append(postFields[forum.Topic](),
	Field[forum.Topic]{Name: "floor", Valid: count, Kept: keptCounts, Required: true,
		Doc: "last comment number issued; never falls"},
	Field[forum.Topic]{Name: "changed", Valid: count, Kept: keptWork,
		Doc: "position of the last change to a comment, as in `{pXX}:t:<id>:changes`; never falls"},
	Field[forum.Topic]{Name: "left", Valid: ids, Kept: keptWork,
		Doc: "ids of the categories, or tags, that it has left and whose indexes may still hold it, each " +
			"followed by a space, oldest first; missing or empty at rest"},
	Field[forum.Topic]{Name: "leftTags", Valid: ids, Kept: keptWork, Doc: "likewise"},
	Field[forum.Topic]{Name: "fan", Valid: at, Kept: keptWork,
		Doc: "revision at which it last belonged into other homes, until these were written or left to a task"},
	Field[forum.Topic]{Name: "held", Valid: flag,
		Doc: "`1`: HIDDEN, and was refused while HELD, so that restoring it publishes it"},
	Field[forum.Topic]{Name: "pinFront", Valid: at,
		Doc: "when it was pinned on the front, in its category"},
	Field[forum.Topic]{Name: "pinCategory", Valid: at, Doc: "likewise"},
	Field[forum.Topic]{Name: "pinFrontAct", Valid: at, Kept: keptActs, Doc: "as `lockAct`"},
	Field[forum.Topic]{Name: "pinCategoryAct", Valid: at, Kept: keptActs, Doc: "as `lockAct`"},
	Field[forum.Topic]{Name: "moveAct", Valid: at, Kept: keptActs, Doc: "as `lockAct`"},
	Field[forum.Topic]{Name: "rejected", Valid: flag, Kept: keptWork,
		Doc: "`1`: taken back because its category was deleted while it was posted; its idempotency key counts " +
			"as unused"},
	Field[forum.Topic]{Name: "clickBase", Valid: at, Kept: keptCounts, Doc: "imported clicks"},
	Field[forum.Topic]{Name: "voted", Valid: at, Kept: keptCounts,
		Doc: "time of the last vote on an ARTICLE, each at least 1 ms after the one before"},
))

// Comment is what is stored of a comment.
var Comment = table("comment", []Field[forum.Comment]{
	{Name: "topic", Valid: at, Kept: keptPlace, Required: true, Set: func(c *forum.Comment,
		v string) {
		c.TopicID = forum.TopicID(Atoi(v))
	},
		Doc: "id of its topic"},
	{Name: "author", Valid: count, Kept: keptPlace, Required: true, Set: func(c *forum.Comment,
		v string) {
		c.WriterID = forum.UserID(Atoi(v))
	},
		Doc: "user id, also in a tombstone, though readers see the ghost; 0 is the ghost, in imports"},
	{Name: "parent", Valid: count, Kept: keptPlace, Required: true, Set: func(c *forum.Comment,
		v string) {
		c.ParentID = forum.CommentID(Atoi(v))
	},
		Doc: "comment id, 0 for a reply to the topic"},
	{Name: "depth", Valid: count, Kept: keptPlace, Required: true,
		Set: func(c *forum.Comment, v string) { c.Depth = int(Atoi(v)) },
		Doc: "number of parents"},
	{Name: "floor", Valid: count, Kept: keptPlace, Required: true,
		Set: func(c *forum.Comment, v string) { c.Number = int(Atoi(v)) },
		Doc: "comment number, from 1 in order of posting; 0 if it was never published"},
	{Name: "state", Valid: oneOf(forum.CommentLocked, forum.CommentHidden, forum.CommentHeld), Kept: keptPlace,
		Set: func(c *forum.Comment, v string) { c.State = forum.CommentState(v) },
		Doc: "LOCKED, HIDDEN or HELD; missing if it is open or a tombstone. One that is HELD is in no list; a " +
			"tombstone that was never published stays HELD"},
	{Name: "content", Valid: anyText, Posted: &forum.PostedComment, Kept: Emptied,
		Set: func(c *forum.Comment, v string) { c.Content = v },
		Doc: "as for topics"},
	{Name: "long", Valid: at, Set: func(c *forum.Comment, v string) { c.Long = int(Atoi(v)) },
		Doc: "as for topics"},
	{Name: "format", Valid: format, Kept: keptPlace, Required: true,
		Set: func(c *forum.Comment, v string) { c.Format = forum.ContentFormat(v) }, Doc: "as for topics"},
	{Name: "created", Valid: at, Kept: keptPlace, Required: true, Set: func(c *forum.Comment,
		v string) {
		c.CreatedAt = forum.Time(Atoi(v))
	},
		Doc: "as for topics"},
	{Name: "edited", Valid: at, Kept: keptHistory,
		Set: func(c *forum.Comment, v string) { c.EditedAt = forum.Time(Atoi(v)) },
		Doc: "as for topics"},
	{Name: "deleted", Valid: at, Kept: "says since when the comment is deleted",
		Set: func(c *forum.Comment, v string) { c.DeletedAt = forum.Time(Atoi(v)) },
		Doc: "as for topics"},
	{Name: "hidden", Valid: at, Set: func(c *forum.Comment, v string) { c.HiddenAt = forum.Time(Atoi(v)) },
		Doc: "when it was hidden, or refused while HELD"},
	{Name: "replies", Valid: count, Kept: keptCounts, Required: true,
		Set: func(c *forum.Comment, v string) { c.ReplyCount = int(Atoi(v)) },
		Doc: "live direct replies"},
	{Name: "mentions", Valid: anyText, Made: "the content", Set: func(c *forum.Comment,
		v string) {
		c.Mentions = DecodeMentions(v)
	},
		Doc: "as for topics"},
	{Name: "up", Valid: count, Kept: keptCounts, Set: func(c *forum.Comment, v string) { c.Upvotes = int(Atoi(v)) },
		Doc: "as for topics"},
	{Name: "down", Valid: count, Kept: keptCounts,
		Set: func(c *forum.Comment, v string) { c.Downvotes = int(Atoi(v)) }, Doc: "likewise"},
	{Name: "revision", Valid: at, Kept: keptHistory,
		Set: func(c *forum.Comment, v string) { c.Revision = int(Atoi(v)) },
		Doc: "as for topics"},
	{Name: "editor", Valid: count, Kept: keptHistory,
		Set: func(c *forum.Comment, v string) { c.EditorID = forum.UserID(Atoi(v)) },
		Doc: "as for topics"},
	{Name: "revised", Valid: at, Kept: keptHistory,
		Set: func(c *forum.Comment, v string) { c.Since = forum.Time(Atoi(v)) },
		Doc: "as for topics"},
}, append(postFields[forum.Comment](),
	Field[forum.Comment]{Name: "votes", Valid: at, Kept: keptWork,
		Doc: "revision of what its author's karma counts: +1 with each vote, and once there are any also when " +
			"it is hidden or restored"},
)).completed(func(c *forum.Comment) {
	c.State, c.AuthorID = cmp.Or(c.State, forum.CommentOpen), c.WriterID
	c.Unlisted = c.State == forum.CommentHeld
	if c.DeletedAt != 0 {
		c.State, c.AuthorID, c.HiddenAt = forum.CommentDeleted, 0, 0 // readers see the ghost
	}
})

// postFields are the fields of the internal hashes of topics and comments.
func postFields[T any]() []Field[T] {
	return []Field[T]{
		{Name: "rev", Valid: at, Kept: keptWork, Required: true,
			Doc: "revision for a topic's indexes, or for the list of a comment's author: 1, +1 with each change " +
				"of what they depend on"},
		{Name: "src", Valid: anyText, Kept: keptImport,
			Doc: "`site:id` that it was imported from"},
		{Name: "upBase", Valid: at, Kept: keptCounts, Doc: "imported votes, or those of demo data"},
		{Name: "downBase", Valid: at, Kept: keptCounts, Doc: "likewise"},
		{Name: "own", Valid: oneOf("1", "-1"), Kept: keptCounts,
			Doc: "the author's own vote, `1` or `-1`, which karma does not count"},
		{Name: "echo", Valid: anyText, Kept: keptHistory,
			Doc: "`up down votes replies comments reports` when the present revision began: an edit is merged " +
				"into it only if none changed since"},
		{Name: "locked", Valid: flag,
			Doc: "`1`: HIDDEN or HELD, and LOCKED once it is restored"},
		{Name: "lockAct", Valid: at, Kept: keptActs,
			Doc: "the latest act of that kind, or that ended one: what is in force"},
		{Name: "hideAct", Valid: at, Kept: keptActs,
			Doc: "as `lockAct`; it may be an act on all posts of the author, in another partition"},
		{Name: "postsAct", Valid: at, Kept: keptActs,
			Doc: "the latest act HIDE_POSTS or RESTORE_POSTS that has reached it, whether or not it changed it"},
		{Name: "tell", Valid: anyText, Kept: keptWork,
			Doc: "who must be notified: `all` affected users, or, since it was edited or hidden, their ids. " +
				"A task exists as long as the field. Of a deleted post: who may have a notification of it, " +
				"which the task marks as read"},
		{Name: "told", Valid: ids, Kept: keptWork,
			Doc: "ids of users who were notified of it"},
		{Name: "armed", Valid: at, Kept: keptWork,
			Doc: "how often a task about it was armed"},
	}
}
