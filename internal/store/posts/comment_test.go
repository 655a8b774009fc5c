package posts_test

import (
	"slices"
	"testing"
	"time"

	"agora/internal/forum"
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
