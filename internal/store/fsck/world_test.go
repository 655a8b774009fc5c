package fsck

import (
	"testing"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/posts"
)

// world is the data of a mutation test: a topic by ann in category a with two comments, one a reply
// to the other, and an empty category.
type world struct {
	*site
	ann, bob        *forum.Viewer
	a, b, empty     forum.CategoryID
	topic           forum.TopicID
	comment, answer forum.CommentID
}

func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{site: newSite(t)}
	w.ann = w.User("ann")
	w.bob = w.UserElsewhere(w.ann.ID.Partition())
	w.a, w.b, w.empty = w.Category("a"), w.Category("b"), w.Category("empty")
	w.Tab("tab", w.a, w.b, w.empty)
	w.topic = w.Topic(w.ann, w.a)
	w.comment = w.Comment(w.bob, w.topic, 0)
	w.answer = w.Comment(w.ann, w.topic, w.comment)
	wantOK(t, "Flush", w.Flush(w.ctx)) // as a server does, which began long ago
	return w
}

// move changes a topic's category.
func move(s *store.Store, w *world, to forum.CategoryID) error {
	return s.Posts.UpdateTopic(w.ctx, w.ann, w.topic, posts.TopicChange{Category: &to})
}

// mutations are all mutations of several steps, each repeatable by a client.
var mutations = []struct {
	name string
	run  func(*store.Store, *world) error
	want forum.Code
}{
	{"create topic", func(s *store.Store, w *world) error {
		in := discussion(w.bob, w.b)
		in.Key = "k"
		_, err := s.Posts.CreateTopic(w.ctx, in)
		return err
	}, ""},
	{"create comment", func(s *store.Store, w *world) error {
		in := remark(w.topic, w.comment)
		in.Key = "k"
		_, err := s.Posts.CreateComment(w.ctx, w.bob, in)
		return err
	}, ""},
	{"move topic", func(s *store.Store, w *world) error { return move(s, w, w.b) }, ""},
	{"delete topic", func(s *store.Store, w *world) error { return s.Posts.DeleteTopic(w.ctx, w.ann, w.topic) }, ""},
	{"delete comment", func(s *store.Store, w *world) error { return s.Posts.DeleteComment(w.ctx, w.bob, w.comment) },
		""},
	{"delete answer", func(s *store.Store, w *world) error { return s.Posts.DeleteComment(w.ctx, w.ann, w.answer) },
		""},
	{"update comment", func(s *store.Store, w *world) error {
		return s.Posts.UpdateComment(w.ctx, w.bob, w.comment, posts.CommentChange{Content: "new"})
	}, ""},
	{"delete category with a topic", func(s *store.Store, w *world) error {
		return s.Categories.DeleteCategory(w.ctx,
			nil, w.a)
	},
		forum.CodeNotEmpty},
}
