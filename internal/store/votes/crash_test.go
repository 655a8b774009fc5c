package votes_test

import (
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/record"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// voteMutations are all mutations of votes and tags, each repeatable as by a client. A vote reports whether it
// changed something.
var voteMutations = []struct {
	name string
	run  func(*store.Store, *storetest.Voting) (changed, tells bool, err error)
}{
	{"vote on an article", func(s *store.Store, e *storetest.Voting) (bool, bool, error) {
		return castIn(s, e, e.Bob, e.Article, forum.VoteNone)
	}},
	{"reverse a vote on an article",
		func(s *store.Store, e *storetest.Voting) (bool, bool, error) {
			return castIn(s, e, e.Ann, e.Article, forum.VoteDown)
		}},
	{"withdraw a vote on an article",
		func(s *store.Store, e *storetest.Voting) (bool, bool, error) {
			return castIn(s, e, e.Ann, e.Article, forum.VoteNone)
		}},
	{"vote on a discussion",
		func(s *store.Store, e *storetest.Voting) (bool, bool, error) {
			return castIn(s, e, e.Ann, e.TopicID, forum.VoteUp)
		}},
	{"reverse a vote on a discussion",
		func(s *store.Store, e *storetest.Voting) (bool, bool, error) {
			return castIn(s, e, e.Bob, e.TopicID, forum.VoteUp)
		}},
	{"vote on a comment", func(s *store.Store, e *storetest.Voting) (bool, bool, error) {
		v, err := s.Votes.VoteComment(e.Ctx, e.Bob, e.CommentID, forum.VoteUp)
		return v.Changed, true, err
	}},
	{"vote on an answer", func(s *store.Store, e *storetest.Voting) (bool, bool, error) {
		v, err := s.Votes.VoteComment(e.Ctx, e.Bob, e.AnswerID, forum.VoteDown)
		return v.Changed, true, err
	}},
	{"add and remove tags", func(s *store.Store, e *storetest.Voting) (bool, bool, error) {
		return false, false, s.Posts.TagTopic(e.Ctx, e.Ann, e.TopicID, site.Tags("redis", "new"), site.Tags("go"))
	}},
	{"remove the last tag", func(s *store.Store, e *storetest.Voting) (bool, bool, error) {
		return false, false, s.Posts.TagTopic(e.Ctx, e.Bob, e.Article, nil, site.Tags("redis"))
	}},
	{"post an article with tags", func(s *store.Store, e *storetest.Voting) (bool, bool, error) {
		in := site.Link(e.Ann, "redis", "fresh")
		in.Category, in.Key = e.B, "k"
		_, err := s.Posts.CreateTopic(e.Ctx, in)
		return false, false, err
	}},
}

func castIn(s *store.Store, e *storetest.Voting, by *forum.Viewer, id forum.TopicID, v forum.VoteDirection) (bool, bool,
	error) {
	voted, err := s.Votes.VoteTopic(e.Ctx, by, id, v)
	return voted.Changed, true, err
}

// A process may be killed before any step of a vote or of tagging: another process's sweeper and tasks
// finish what its script began, and a repeated call reports whether anything was left to do.
func TestCrashAtEveryStepOfVotesAndTags(t *testing.T) {
	testlevel.Sequential(t)
	for _, b := range voteMutations {
		t.Run(b.name, func(t *testing.T) {
			for n, died := 1, true; died; n++ {
				e := storetest.NewVoting(t)
				before := len(e.KeysLike(""))
				died = e.Dies(n, func(s *store.Store) { b.run(s, e) })
				if n == 1 && (!died || len(e.KeysLike("")) != before) {
					t.Fatal("data were written before the first step")
				}
				second := e.Process()
				e.Clock.Advance(record.TaskLease * time.Millisecond)
				must.Do(second.Engine.RunDueTasks(t.Context()))(t)
				must.Do(second.Engine.Sweep(t.Context()))(t)
				second.Engine.Cleaner.Flush()
				for _, w := range e.Findings() {
					t.Errorf("after a crash before step %d: %s", n, w)
				}
				changed, tells, err := b.run(second, e)
				// What was not begun is done now; what was begun was finished.
				if err != nil || tells && changed != (n == 1) {
					t.Errorf("%s again after a crash before step %d = changed %t, %v", b.name, n, changed, err)
				}
				second.Engine.Cleaner.Flush()
				e.WantClean()
				if t.Failed() {
					t.Fatalf("%s was killed before step %d", b.name, n)
				}
			}
		})
	}
}
