package storetest

import (
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/record"
	"agora/internal/store/posts"
	"agora/internal/test/must"
	"agora/internal/test/site"
)

// Thread is the data for the mutations of a test: a topic of ann's in category a with two comments, one a
// reply to the other, and an empty category.
type Thread struct {
	*Site
	Ann, Bob            *forum.Viewer
	A, B, EmptyID       forum.CategoryID
	TopicID             forum.TopicID
	CommentID, AnswerID forum.CommentID
}

// NewThread creates a Thread.
func NewThread(t testing.TB) *Thread {
	t.Helper()
	w := &Thread{Site: New(t)}
	w.Ann = w.User("ann")
	w.Bob = w.UserElsewhere(w.Ann.ID.Partition())
	w.A, w.B, w.EmptyID = w.Category("a"), w.Category("b"), w.Category("empty")
	w.Tab("tab", w.A, w.B, w.EmptyID)
	w.TopicID = w.Topic(w.Ann, w.A)
	w.CommentID = w.Comment(w.Bob, w.TopicID, 0)
	w.AnswerID = w.Comment(w.Ann, w.TopicID, w.CommentID)
	w.Engine.Cleaner.Flush()
	return w
}

// Move changes a topic's category.
func Move(s *store.Store, w *Thread, to forum.CategoryID) error {
	return s.Posts.UpdateTopic(w.Ctx, w.Ann, w.TopicID, posts.TopicChange{Category: &to})
}

// Mutation is a mutation with more than one step, repeatable as by a client.
type Mutation struct {
	Name    string
	Run     func(*store.Store, *Moderated) error
	Want    forum.Code       // of a repeated call
	Prepare func(*Moderated) // nil for nothing
}

// Mutations are those of topics, comments and categories.
var Mutations = []Mutation{
	{"create topic", func(s *store.Store, w *Moderated) error {
		in := site.Discussion(w.Bob, w.B)
		in.Key = "k"
		_, err := s.Posts.CreateTopic(w.Ctx, in)
		return err
	}, "", nil},
	{"create comment", func(s *store.Store, w *Moderated) error {
		in := site.Remark(w.TopicID, w.CommentID)
		in.Key = "k"
		_, err := s.Posts.CreateComment(w.Ctx, w.Bob, in)
		return err
	}, "", nil},
	{"move topic", func(s *store.Store, w *Moderated) error { return Move(s, w.Thread, w.B) }, "", nil},
	{"delete topic", func(s *store.Store, w *Moderated) error {
		return s.Posts.DeleteTopic(w.Ctx, w.Ann,
			w.TopicID)
	}, "", nil},
	{"delete comment", func(s *store.Store, w *Moderated) error {
		return s.Posts.DeleteComment(w.Ctx, w.Bob,
			w.CommentID)
	}, "", nil},
	{"delete answer", func(s *store.Store, w *Moderated) error {
		return s.Posts.DeleteComment(w.Ctx, w.Ann,
			w.AnswerID)
	}, "", nil},
	{"update comment", func(s *store.Store, w *Moderated) error {
		return s.Posts.UpdateComment(w.Ctx, w.Bob, w.CommentID, posts.CommentChange{Content: "new"})
	}, "", nil},
	{"delete category with a topic", func(s *store.Store,
		w *Moderated) error {
		return s.Categories.DeleteCategory(w.Ctx, nil, w.A)
	},
		forum.CodeNotEmpty, nil},
}

// CrashAtEveryStep kills a process before any step of any mutation: the sweeper and the tasks finish what its script
// began, and a repeated call does no harm.
func CrashAtEveryStep(t *testing.T, all ...Mutation) {
	for _, m := range all {
		t.Run(m.Name, func(t *testing.T) {
			for n, died := 1, true; died; n++ {
				w := NewModerated(t)
				w.CastOn(w.Ann, w.CommentID, forum.VoteUp)
				if m.Prepare != nil {
					m.Prepare(w)
				}
				died = w.Dies(n, func(s *store.Store) { m.Run(s, w) })
				w.Clock.Advance(record.TaskLease * time.Millisecond)
				must.Do(w.Engine.RunDueTasks(t.Context()))(t)
				must.Do(w.Engine.Sweep(t.Context()))(t)
				w.Engine.Cleaner.Flush()
				w.WantSound()
				err := m.Run(w.Store, w)
				if got := forum.CodeOf(err); got != m.Want || (err == nil) != (m.Want == "") {
					t.Errorf("%s again after a crash before step %d = %v; want code %q", m.Name, n, err, m.Want)
				}
				w.WantClean()
				if t.Failed() {
					t.Fatalf("%s was killed before step %d", m.Name, n)
				}
			}
		})
	}
}

// Bookmark makes a user bookmark a topic, or not, and reports whether anything changed.
func (x *Site) Bookmark(by *forum.Viewer, id forum.TopicID, want bool) bool {
	x.T.Helper()
	return must.Do(x.Follows.Bookmark(x.Ctx, by.ID, id, want))(x.T)
}

// Watch makes a user watch a topic, or not.
func (x *Site) Watch(by *forum.Viewer, id forum.TopicID, want bool) {
	x.T.Helper()
	must.Do(x.Follows.WatchTopic(x.Ctx, by.ID, id, want))(x.T)
}
