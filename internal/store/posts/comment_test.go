package posts_test

import (
	"slices"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/listing"
	"agora/internal/store/posts"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/site"
)

// A reply moves its topic up, but an older one does not move it back.
func TestLastActiveNeverDecreases(t *testing.T) {
	x := storetest.New(t)
	by, category := x.User("ann"), x.Category("go")
	first := x.Topic(by, category)
	x.Clock.Advance(time.Second)
	second := x.Topic(by, category)
	active := storetest.Timeline(forum.CategoryTimeline, category, forum.ByActive)
	x.Clock.Advance(time.Second)

	x.Comment(by, first, 0)
	at := x.Engine.Now()
	if got, want := storetest.IDs[forum.TopicID](x, active), []forum.TopicID{first, second}; !slices.Equal(got, want) {
		t.Errorf("category by activity after a reply = %v; want %v", got, want)
	}
	past := site.Remark(first, 0)
	past.CreatedAt = 1000
	old := must.Do(x.Posts.CreateComment(t.Context(), by, past))(t)
	if got := x.OneTopic(first).LastActiveAt; got != at {
		t.Errorf("LastActiveAt after an older comment = %d; want %d", got, at)
	}
	if got := x.OneComment(old); got.CreatedAt != 1000 || got.Number != 2 {
		t.Errorf("older comment = %+v; want time 1000 on number 2", got)
	}
	storetest.WantOK(t, "DeleteComment", x.Posts.DeleteComment(t.Context(), by, old))
	if got := x.OneTopic(first).LastActiveAt; got != at {
		t.Errorf("LastActiveAt after a deletion = %d; want %d", got, at)
	}
	x.WantClean()
}

func TestDeleteCommentLeavesATombstone(t *testing.T) {
	x := storetest.New(t)
	by, stranger := x.User("ann"), x.User("bob")
	topic := x.Topic(by, x.Category("go"))
	parent := x.Comment(by, topic, 0)
	id := x.Comment(by, topic, parent)
	storetest.WantCode(t, "DeleteComment by a stranger", x.Posts.DeleteComment(t.Context(), stranger, id),
		forum.CodeForbidden)
	storetest.WantCode(t, "DeleteComment of a missing comment",
		x.Posts.DeleteComment(t.Context(), by, id+100*forum.Partitions),
		forum.CodeNotFound)
	x.Clock.Advance(time.Minute)
	storetest.WantOK(t, "DeleteComment", x.Posts.DeleteComment(t.Context(), by, id))
	at := x.Engine.Now()
	x.Clock.Advance(time.Minute)
	storetest.WantOK(t, "DeleteComment again", x.Posts.DeleteComment(t.Context(), by, id))

	got := x.OneComment(id)
	if got.DeletedAt != at || got.AuthorID != 0 || got.Content != "" || got.ParentID != parent || got.Number != 2 {
		t.Errorf("tombstone = %+v; want no author, no text, deleted at %d, its position kept", got, at)
	}
	if n := x.OneTopic(topic).CommentCount; n != 1 {
		t.Errorf("CommentCount = %d; want 1", n)
	}
	if n := x.OneComment(parent).ReplyCount; n != 0 {
		t.Errorf("ReplyCount of the parent = %d; want 0", n)
	}
	if got := storetest.IDs[forum.CommentID](x, listing.TopicComments(topic, false, forum.Oldest)); len(got) != 2 {
		t.Errorf("comments = %v; want the tombstone among them", got)
	}
	_, err := x.Posts.CreateComment(t.Context(), by, posts.NewComment{Topic: topic, Parent: id, Content: "x"})
	storetest.WantCode(t, "CreateComment, a reply to a tombstone", err, forum.CodeLocked)
	if got, want := storetest.IDs[forum.CommentID](x,
		listing.UserComments(by.ID)), []forum.CommentID{parent}; !slices.Equal(got, want) {
		t.Errorf("ann's comments = %v; want %v", got, want)
	}
	x.WantClean()
}

func TestDeleteCommentOfDeletedTopic(t *testing.T) {
	x := storetest.New(t)
	author, writer := x.User("ann"), x.User("bob")
	topic := x.Topic(author, x.Category("go"))
	id := x.Comment(writer, topic, 0)
	storetest.WantOK(t, "DeleteTopic", x.Posts.DeleteTopic(t.Context(), author, topic))
	storetest.WantCode(t, "DeleteComment by its author", x.Posts.DeleteComment(t.Context(), writer, id),
		forum.CodeNotFound)
	storetest.WantCode(t, "DeleteComment by a moderator", x.Posts.DeleteComment(t.Context(), x.Moderator("mod"), id),
		forum.CodeForbidden)
	x.WantClean()
}

func TestUpdateComment(t *testing.T) {
	x := storetest.New(t)
	author, stranger, moderator := x.User("ann"), x.User("bob"), x.Moderator("mod")
	category := x.Category("go")
	topic, deleted := x.Topic(author, category), x.Topic(author, category)
	open, tomb, buried := x.Comment(author, topic, 0), x.Comment(author, topic, 0), x.Comment(author, deleted, 0)
	storetest.WantOK(t, "DeleteComment", x.Posts.DeleteComment(t.Context(), author, tomb))
	storetest.WantOK(t, "DeleteTopic", x.Posts.DeleteTopic(t.Context(), author, deleted))
	tests := []struct {
		name string
		by   *forum.Viewer
		id   forum.CommentID
		want forum.Code
	}{
		{"author", author, open, ""},
		{"moderator", moderator, open, forum.CodeForbidden},
		{"stranger", stranger, open, forum.CodeForbidden},
		{"nothing there", author, open + 100*forum.Partitions, forum.CodeNotFound},
		{"tombstone", author, tomb, forum.CodeLocked},
		{"deleted topic", author, buried, forum.CodeLocked},
		{"deleted topic, stranger", stranger, buried, forum.CodeNotFound},
	}
	for _, tt := range tests {
		err := x.Posts.UpdateComment(t.Context(), tt.by, tt.id, posts.CommentChange{Content: "by " + tt.name})
		if got := forum.CodeOf(err); got != tt.want || (err == nil) != (tt.want == "") {
			t.Errorf("UpdateComment, %s = %v; want code %q", tt.name, err, tt.want)
		}
	}
	x.Clock.Advance(time.Minute)
	format, mentions := forum.HTML, forum.Mentions{{Fold: "bob", User: stranger.ID}}
	change := posts.CommentChange{Content: "new", Format: &format, Mentions: mentions}
	storetest.WantOK(t, "UpdateComment", x.Posts.UpdateComment(t.Context(), author, open, change))
	edited := x.Engine.Now()
	x.Clock.Advance(time.Minute)
	storetest.WantOK(t, "UpdateComment again", x.Posts.UpdateComment(t.Context(), author, open, change))
	got := x.OneComment(open)
	if got.Content != "new" || got.Format != forum.HTML || !slices.Equal(got.Mentions, mentions) ||
		got.EditedAt != edited {
		t.Errorf("comment = %+v; want the change, edited at %d", got, edited)
	}
	x.WantClean()
}

func TestCreateCommentIsRepeatable(t *testing.T) {
	x := storetest.New(t)
	author := x.User("ann")
	category := x.Category("go")
	topic := x.Topic(author, category)
	elsewhere := x.Topic(x.UserElsewhere(topic.Partition()), category)
	in := site.Remark(topic, 0)
	in.Key = "k"
	first := must.Do(x.Posts.CreateComment(t.Context(), author, in))(t)
	x.Clock.Advance(forum.IdempotencyLife - time.Second)
	if again, err := x.Posts.CreateComment(t.Context(), author, in); err != nil || again != first {
		t.Errorf("CreateComment with the same key = %d, %v; want %d", again, err, first)
	}
	other := in
	other.Content = "something else"
	_, err := x.Posts.CreateComment(t.Context(), author, other)
	storetest.WantCode(t, "CreateComment with the same key and other text", err, forum.CodeIdempotencyConflict)
	other = in
	other.Topic = elsewhere
	_, err = x.Posts.CreateComment(t.Context(), author, other)
	storetest.WantCode(t, "CreateComment with the same key on a topic in another partition", err,
		forum.CodeIdempotencyConflict)
	if n := x.OneTopic(topic).CommentCount; n != 1 {
		t.Errorf("CommentCount = %d; want 1", n)
	}
	x.Clock.Advance(time.Second)
	if id, err := x.Posts.CreateComment(t.Context(), author, in); err != nil || id == first {
		t.Errorf("CreateComment with the same key after a day = %d, %v; want a new comment", id, err)
	}
	x.Clock.Advance(forum.IdempotencyLife)
	must.Do(x.Posts.CreateComment(t.Context(), author, other))(t)
	x.WantClean()
}

// A refused call releases its key: it may be repeated with other input.
func TestRefusedCommentReleasesItsKey(t *testing.T) {
	x := storetest.New(t)
	author := x.User("ann")
	category := x.Category("go")
	topic := x.Topic(author, category)
	elsewhere := x.Topic(x.UserElsewhere(topic.Partition()), category)
	in := site.Remark(topic, forum.CommentID(topic))
	in.Key = "k"
	_, err := x.Posts.CreateComment(t.Context(), author, in)
	storetest.WantCode(t, "CreateComment under a missing parent", err, forum.CodeNotFound)
	in.Topic, in.Parent = elsewhere, 0
	must.Do(x.Posts.CreateComment(t.Context(), author, in))(t)
}
