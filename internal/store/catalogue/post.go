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
		Doc: "OPEN, LOCKED (both *listed*), HIDDEN, HELD, DELETED"},
	{Name: "audience", Valid: oneOf(forum.Audiences...), Kept: keptPlace, Required: true,
		Set: func(t *forum.Topic, v string) { t.Audience = forum.Audience(v) },
		Doc: "PUBLIC, MEMBERS or GROUPS, as its category when its lists were written; without it nobody sees it"},
	{Name: "kind", Valid: oneOf(forum.Discussion, forum.Article, forum.Status), Kept: keptPlace, Required: true,
		Set: func(t *forum.Topic, v string) { t.Kind = forum.TopicKind(v) }, Doc: "DISCUSSION, ARTICLE or STATUS"},
	{Name: "title", Valid: anyText, Posted: &forum.PostedTitle, Kept: Emptied, Required: true,
		Set: func(t *forum.Topic, v string) { t.Title = v },
		Doc: "of a STATUS the beginning of its content; empty once deleted"},
	{Name: "content", Valid: anyText, Posted: &forum.PostedTopic, Kept: Emptied,
		Set: func(t *forum.Topic, v string) { t.Content = v },
		Doc: "up to 1,024 bytes; empty once deleted"},
	{Name: "long", Valid: at, Set: func(t *forum.Topic, v string) { t.Long = int(Atoi(v)) },
		Doc: "bytes of a longer text, in `…:text`"},
	{Name: "format", Valid: format, Kept: keptPlace, Required: true,
		Set: func(t *forum.Topic, v string) { t.Format = forum.ContentFormat(v) }, Doc: "MARKDOWN or HTML"},
	{Name: "link", Valid: anyText, Posted: &forum.PostedLink, Set: func(t *forum.Topic, v string) { t.Link = v },
		Doc: "URL"},
	{Name: "author", Valid: count, Kept: keptPlace, Required: true, Set: func(t *forum.Topic,
		v string) {
		t.AuthorID = forum.UserID(Atoi(v))
	},
		Doc: "user id; 0 is the ghost"},
	{Name: "category", Valid: count, Kept: keptPlace, Required: true,
		Set: func(t *forum.Topic, v string) { t.CategoryID = forum.CategoryID(Atoi(v)) },
		Doc: "id; 0 for none"},
	{Name: "created", Valid: at, Kept: keptPlace, Required: true,
		Set: func(t *forum.Topic, v string) { t.CreatedAt = forum.Time(Atoi(v)) },
		Doc: "time"},
	{Name: "edited", Valid: at, Kept: keptHistory,
		Set: func(t *forum.Topic, v string) { t.EditedAt = forum.Time(Atoi(v)) },
		Doc: "time"},
	{Name: "deleted", Valid: at, Kept: "says since when the topic is deleted",
		Set: func(t *forum.Topic, v string) { t.DeletedAt = forum.Time(Atoi(v)) },
		Doc: "time"},
	{Name: "hidden", Valid: at, Set: func(t *forum.Topic, v string) { t.HiddenAt = forum.Time(Atoi(v)) },
		Doc: "time"},
	{Name: "active", Valid: at, Kept: keptCounts, Required: true, Set: func(t *forum.Topic,
		v string) {
		t.LastActiveAt = forum.Time(Atoi(v))
	},
		Doc: "time of the last comment, or of posting"},
	{Name: "clicks", Valid: count, Kept: keptCounts,
		Set: func(t *forum.Topic, v string) { t.ClickCount = int(Atoi(v)) },
		Doc: "with imported ones"},
	{Name: "comments", Valid: count, Kept: keptCounts, Required: true,
		Set: func(t *forum.Topic, v string) { t.CommentCount = int(Atoi(v)) },
		Doc: "live comments"},
	{Name: "up", Valid: count, Kept: keptCounts, Set: func(t *forum.Topic, v string) { t.Upvotes = int(Atoi(v)) },
		Doc: "votes shown, with imported ones"},
	{Name: "down", Valid: count, Kept: keptCounts,
		Set: func(t *forum.Topic, v string) { t.Downvotes = int(Atoi(v)) }, Doc: "likewise"},
	{Name: "tags", Valid: anyText, Posted: &forum.PostedTag, Kept: Emptied,
		Set: func(t *forum.Topic, v string) { t.Tags = DecodeTags(v) },
		Doc: "a line `id name` per tag"},
	{Name: "day", Valid: at, Kept: keptCounts, Set: func(t *forum.Topic, v string) { t.Day = forum.Day(Atoi(v)) },
		Doc: "latest day with comments: days since 1970-01-01 in the site's zone"},
	{Name: "dayComments", Valid: count, Kept: keptCounts,
		Set: func(t *forum.Topic, v string) { t.DayComments = int(Atoi(v)) },
		Doc: "live comments of that day, of the day before"},
	{Name: "dayBefore", Valid: count, Kept: keptCounts,
		Set: func(t *forum.Topic, v string) { t.DayBefore = int(Atoi(v)) },
		Doc: "live comments of that day, of the day before"},
	{Name: "mentions", Valid: anyText, Made: "the content", Set: func(t *forum.Topic,
		v string) {
		t.Mentions = DecodeMentions(v)
	},
		Doc: "`login:user …`, logins folded, `=` for `:` if only in quotations"},
	{Name: "revision", Valid: at, Kept: keptHistory, Set: func(t *forum.Topic, v string) { t.Revision = int(Atoi(v)) },
		Doc: "number, last editor and beginning of the present revision"},
	{Name: "editor", Valid: count, Kept: keptHistory,
		Set: func(t *forum.Topic, v string) { t.EditorID = forum.UserID(Atoi(v)) },
		Doc: "number, last editor and beginning of the present revision"},
	{Name: "revised", Valid: at, Kept: keptHistory,
		Set: func(t *forum.Topic, v string) { t.Since = forum.Time(Atoi(v)) },
		Doc: "number, last editor and beginning of the present revision"},
}, append(postFields[forum.Topic](),
	Field[forum.Topic]{Name: "floor", Valid: count, Kept: keptCounts, Required: true,
		Doc: "last comment number issued"},
	Field[forum.Topic]{Name: "changed", Valid: count, Kept: keptWork,
		Doc: "last position in `changes`"},
	Field[forum.Topic]{Name: "left", Valid: ids, Kept: keptWork,
		Doc: "categories, tags that may still list it, each followed by a space; empty at rest"},
	Field[forum.Topic]{Name: "leftTags", Valid: ids, Kept: keptWork, Doc: "likewise"},
	Field[forum.Topic]{Name: "epoch", Valid: at, Kept: keptWork,
		Doc: "that of the rules of its category by which it has its audience"},
	Field[forum.Topic]{Name: "fan", Valid: at, Kept: keptWork,
		Doc: "revision that homes may lack"},
	Field[forum.Topic]{Name: "held", Valid: flag,
		Doc: "`1`: refused while HELD: restoring publishes it"},
	Field[forum.Topic]{Name: "pinFront", Valid: at,
		Doc: "when pinned on the front, in its category"},
	Field[forum.Topic]{Name: "pinCategory", Valid: at, Doc: "likewise"},
	Field[forum.Topic]{Name: "pinFrontAct", Valid: at, Kept: keptActs, Doc: "as `lockAct`"},
	Field[forum.Topic]{Name: "pinCategoryAct", Valid: at, Kept: keptActs, Doc: "as `lockAct`"},
	Field[forum.Topic]{Name: "moveAct", Valid: at, Kept: keptActs, Doc: "as `lockAct`"},
	Field[forum.Topic]{Name: "rejected", Valid: flag, Kept: keptWork,
		Doc: "`1`: taken back, as its category was deleted meanwhile"},
	Field[forum.Topic]{Name: "clickBase", Valid: at, Kept: keptCounts, Doc: "imported clicks"},
	Field[forum.Topic]{Name: "voted", Valid: at, Kept: keptCounts,
		Doc: "time of the last vote on an ARTICLE"},
))

// Comment is what is stored of a comment.
var Comment = table("comment", []Field[forum.Comment]{
	{Name: "topic", Valid: at, Kept: keptPlace, Required: true, Set: func(c *forum.Comment,
		v string) {
		c.TopicID = forum.TopicID(Atoi(v))
	},
		Doc: "its topic"},
	{Name: "author", Valid: count, Kept: keptPlace, Required: true, Set: func(c *forum.Comment,
		v string) {
		c.WriterID = forum.UserID(Atoi(v))
	},
		Doc: "user id, also in a tombstone; 0 is the ghost"},
	{Name: "parent", Valid: count, Kept: keptPlace, Required: true, Set: func(c *forum.Comment,
		v string) {
		c.ParentID = forum.CommentID(Atoi(v))
	},
		Doc: "comment id; 0 for none"},
	{Name: "depth", Valid: count, Kept: keptPlace, Required: true,
		Set: func(c *forum.Comment, v string) { c.Depth = int(Atoi(v)) },
		Doc: "number of parents"},
	{Name: "floor", Valid: count, Kept: keptPlace, Required: true,
		Set: func(c *forum.Comment, v string) { c.Number = int(Atoi(v)) },
		Doc: "comment number, from 1; 0 if never published"},
	{Name: "state", Valid: oneOf(forum.CommentLocked, forum.CommentHidden, forum.CommentHeld), Kept: keptPlace,
		Set: func(c *forum.Comment, v string) { c.State = forum.CommentState(v) },
		Doc: "LOCKED, HIDDEN or HELD; missing if open or a tombstone, but HELD in one never published"},
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
		Doc: "when hidden, or refused"},
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
		Doc: "revision for its author's karma"},
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
			Doc: "revision for indexes, from 1"},
		{Name: "src", Valid: anyText, Kept: keptImport,
			Doc: "`site:id` that it was imported from"},
		{Name: "upBase", Valid: at, Kept: keptCounts, Doc: "imported or demo votes"},
		{Name: "downBase", Valid: at, Kept: keptCounts, Doc: "likewise"},
		{Name: "own", Valid: oneOf("1", "-1"), Kept: keptCounts,
			Doc: "the author's own vote, `1` or `-1`, not in karma"},
		{Name: "echo", Valid: anyText, Kept: keptHistory,
			Doc: "`up down votes replies comments reports` when the present revision began"},
		{Name: "locked", Valid: flag,
			Doc: "`1`: LOCKED once restored"},
		{Name: "lockAct", Valid: at, Kept: keptActs,
			Doc: "latest act of that kind, or that ended one"},
		{Name: "hideAct", Valid: at, Kept: keptActs,
			Doc: "as `lockAct`"},
		{Name: "postsAct", Valid: at, Kept: keptActs,
			Doc: "latest HIDE_POSTS or RESTORE_POSTS that reached it"},
		{Name: "tell", Valid: anyText, Kept: keptWork,
			Doc: "whom to notify: `all`, or user ids; of a deleted post, whose notifications to mark as read"},
		{Name: "told", Valid: ids, Kept: keptWork,
			Doc: "users notified"},
		{Name: "armed", Valid: at, Kept: keptWork,
			Doc: "how often its tasks were armed"},
	}
}
