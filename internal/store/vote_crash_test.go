package store_test

import (
	"testing"
	"time"

	"agora/internal/store"
	"agora/internal/test/testlevel"

	"agora/internal/forum"
	"agora/internal/store/internal/record"
	"agora/internal/test/must"
)

// voteSite is the data for votes: a discussion with comments, and an article of bob's that ann has voted
// on, both with tags.
type voteSite struct {
	*threadSite
	article forum.TopicID
}

func newVoteSite(t testing.TB) *voteSite {
	t.Helper()
	e := &voteSite{threadSite: newThreadSite(t)}
	e.article = e.Post(link(e.bob, "go", "redis"))
	e.Give(e.ann, e.topic, labels("go"), nil)
	e.Cast(e.ann, e.article, forum.VoteUp)
	e.Cast(e.bob, e.topic, forum.VoteDown)
	e.settle()
	return e
}

// voteMutations are all mutations of votes and tags, each repeatable as by a client. A vote reports whether it
// changed something.
var voteMutations = []struct {
	name string
	run  func(*store.Store, *voteSite) (changed, tells bool, err error)
}{
	{"vote on an article", func(s *store.Store, e *voteSite) (bool, bool, error) {
		return castIn(s, e, e.bob, e.article, forum.VoteNone)
	}},
	{"reverse a vote on an article",
		func(s *store.Store, e *voteSite) (bool, bool, error) {
			return castIn(s, e, e.ann, e.article, forum.VoteDown)
		}},
	{"withdraw a vote on an article",
		func(s *store.Store, e *voteSite) (bool, bool, error) {
			return castIn(s, e, e.ann, e.article, forum.VoteNone)
		}},
	{"vote on a discussion",
		func(s *store.Store, e *voteSite) (bool, bool, error) {
			return castIn(s, e, e.ann, e.topic, forum.VoteUp)
		}},
	{"reverse a vote on a discussion",
		func(s *store.Store, e *voteSite) (bool, bool, error) {
			return castIn(s, e, e.bob, e.topic, forum.VoteUp)
		}},
	{"vote on a comment", func(s *store.Store, e *voteSite) (bool, bool, error) {
		v, err := s.Votes.VoteComment(e.ctx, e.bob, e.comment, forum.VoteUp)
		return v.Changed, true, err
	}},
	{"vote on an answer", func(s *store.Store, e *voteSite) (bool, bool, error) {
		v, err := s.Votes.VoteComment(e.ctx, e.bob, e.answer, forum.VoteDown)
		return v.Changed, true, err
	}},
	{"add and remove tags", func(s *store.Store, e *voteSite) (bool, bool, error) {
		return false, false, s.Posts.TagTopic(e.ctx, e.ann, e.topic, labels("redis", "new"), labels("go"))
	}},
	{"remove the last tag", func(s *store.Store, e *voteSite) (bool, bool, error) {
		return false, false, s.Posts.TagTopic(e.ctx, e.bob, e.article, nil, labels("redis"))
	}},
	{"post an article with tags", func(s *store.Store, e *voteSite) (bool, bool, error) {
		in := link(e.ann, "redis", "fresh")
		in.Category, in.Key = e.b, "k"
		_, err := s.Posts.CreateTopic(e.ctx, in)
		return false, false, err
	}},
}

func castIn(s *store.Store, e *voteSite, by *forum.Viewer, id forum.TopicID, v forum.VoteDirection) (bool, bool,
	error) {
	voted, err := s.Votes.VoteTopic(e.ctx, by, id, v)
	return voted.Changed, true, err
}

// A process may be killed before any step of a vote or of tagging: another process's sweeper and tasks
// finish what its script began, and a repeated call reports whether anything was left to do.
func TestCrashAtEveryStepOfVotesAndTags(t *testing.T) {
	testlevel.Sequential(t)
	for _, b := range voteMutations {
		t.Run(b.name, func(t *testing.T) {
			for n, died := 1, true; died; n++ {
				e := newVoteSite(t)
				before := len(e.keysLike(""))
				died = e.dies(n, func(s *store.Store) { b.run(s, e) })
				if n == 1 && (!died || len(e.keysLike("")) != before) {
					t.Fatal("data were written before the first step")
				}
				second := e.process()
				e.clock.Advance(record.TaskLease * time.Millisecond)
				must.Do(second.Engine.RunDueTasks(t.Context()))(t)
				must.Do(second.Engine.Sweep(t.Context()))(t)
				second.Engine.Cleaner.Flush()
				for _, w := range e.findings() {
					t.Errorf("after a crash before step %d: %s", n, w)
				}
				changed, tells, err := b.run(second, e)
				// What was not begun is done now; what was begun was finished.
				if err != nil || tells && changed != (n == 1) {
					t.Errorf("%s again after a crash before step %d = changed %t, %v", b.name, n, changed, err)
				}
				second.Engine.Cleaner.Flush()
				e.wantClean()
				if t.Failed() {
					t.Fatalf("%s was killed before step %d", b.name, n)
				}
			}
		})
	}
}
