package votes_test

import (
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/storetest"
	"agora/internal/store/votes"
	"agora/internal/test/must"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// A vote's write to its user's log comes late, after that of a newer vote by another process: the newer one
// stays.
func TestLateVoteLogWriteKeepsTheNewerVote(t *testing.T) {
	for _, later := range []forum.VoteDirection{forum.VoteDown, forum.VoteNone} {
		e := storetest.NewVoting(t)
		wake := e.Asleep("index", func(s *store.Store) { castSlowly(e, s, e.Bob, e.Article, forum.VoteNone) })
		e.Cast(e.Bob, e.Article, forum.VoteUp) // in the same millisecond
		e.Cast(e.Bob, e.Article, later)
		wake()
		e.WantClean()
		if _, got := logOf(e.Site, e.Bob, e.Article); got != later {
			t.Errorf("the log after a late write says %s; want %s", got, later)
		}
	}
}

func castSlowly(e *storetest.Voting, s *store.Store, by *forum.Viewer, id forum.TopicID, v forum.VoteDirection) {
	site.On(e.T, s).Cast(by, id, v)
	s.Engine.Cleaner.Flush()
}

// A worker claims the task of a dead process and is paused; concurrently the user votes again. Neither the
// old vote nor the end of its task does any harm, even if the newer vote's process dies too.
func TestLateVoteTaskKeepsTheNewerVote(t *testing.T) {
	for _, dies := range []bool{false, true} {
		e := storetest.NewVoting(t)
		e.Dies(2, func(s *store.Store) { castIn(s, e, e.Bob, e.Article, forum.VoteNone) })
		e.Clock.Advance(record.TaskLease * time.Millisecond)
		wake := e.Asleep("task_pass", func(s *store.Store) { s.Engine.RunDueTasks(e.Ctx) })
		if dies {
			e.Dies(2, func(s *store.Store) { castIn(s, e, e.Bob, e.Article, forum.VoteDown) })
		} else {
			e.Cast(e.Bob, e.Article, forum.VoteDown)
		}
		wake()
		e.Clock.Advance(record.TaskLease * time.Millisecond)
		e.WantClean()
		if _, got := logOf(e.Site, e.Bob, e.Article); got != forum.VoteDown {
			t.Errorf("the log after a late task, the newer process died %t, says %s; want DOWN", dies, got)
		}
	}
}

// A late end of a task does not end the next task of the same name.
func TestLateEndOfAVoteTaskEndsNoOther(t *testing.T) {
	e := storetest.NewVoting(t)
	name, p := record.VoteTask(e.Article, e.Bob.ID), e.Article.Partition()
	e.Dies(2, func(s *store.Store) { castIn(s, e, e.Bob, e.Article, forum.VoteNone) })
	late := engine.Task{Partition: p, Name: name, Token: e.Hash(key.Task(p, name))["n"]}
	for _, step := range []struct {
		wait time.Duration
		want int
	}{{engine.FirstLease*time.Millisecond - time.Millisecond, 0}, {time.Millisecond, 1}} {
		e.Clock.Advance(step.wait) // the task is reserved for its request for two seconds
		if n := e.RunDue(); n != step.want {
			t.Fatalf("RunDueTasks = %d; want %d", n, step.want)
		}
	}
	e.Dies(2, func(s *store.Store) { castIn(s, e, e.Bob, e.Article, forum.VoteDown) })
	storetest.WantOK(t, "task_done", e.Store.Engine.Client.Run(t.Context(), late.Ended()).Err())
	e.Clock.Advance(record.TaskLease * time.Millisecond)
	e.WantClean()
	if _, got := logOf(e.Site, e.Bob, e.Article); got != forum.VoteDown {
		t.Errorf("the log says %s; want DOWN", got)
	}
}

// Indexes of an old revision are written late: no old score and no removed tag is restored.
func TestLateIndexOfAnOldVote(t *testing.T) {
	testlevel.Sequential(t)
	slow := map[string]func(*store.Store, *storetest.Voting){
		"vote": func(s *store.Store, e *storetest.Voting) { castSlowly(e, s, e.Ann, e.TopicID, forum.VoteUp) },
		"take": func(s *store.Store, e *storetest.Voting) {
			storetest.WantOK(e.T, "TagTopic", s.Posts.TagTopic(e.Ctx, e.Ann, e.TopicID, nil, site.Tags("go")))
		},
		"give": func(s *store.Store, e *storetest.Voting) {
			storetest.WantOK(e.T, "TagTopic", s.Posts.TagTopic(e.Ctx, e.Ann, e.TopicID, site.Tags("new"), nil))
		},
	}
	meanwhile := map[string]func(*storetest.Voting){
		"voted on":     func(e *storetest.Voting) { e.Cast(e.Bob, e.TopicID, forum.VoteUp) },
		"commented on": func(e *storetest.Voting) { e.Comment(e.Bob, e.TopicID, 0) },
		"moved": func(e *storetest.Voting) {
			storetest.WantOK(e.T, "UpdateTopic", storetest.Move(e.Store, e.Thread, e.B))
		},
		"deleted": func(e *storetest.Voting) {
			storetest.WantOK(e.T, "DeleteTopic", e.Posts.DeleteTopic(e.Ctx, e.Ann, e.TopicID))
		},
		"tagged":      func(e *storetest.Voting) { e.Give(e.Ann, e.TopicID, site.Tags("go", "third"), nil) },
		"tagged less": func(e *storetest.Voting) { e.Give(e.Ann, e.TopicID, nil, site.Tags("go", "new")) },
		"tagged twice": func(e *storetest.Voting) {
			e.Give(e.Ann, e.TopicID, nil, site.Tags("new"))
			e.Give(e.Ann, e.TopicID, site.Tags("new"), nil)
		},
		"swept instead": func(e *storetest.Voting) {
			e.Clock.Advance(2 * time.Second)
			e.Engine.Sweep(e.Ctx)
			e.Engine.Cleaner.Flush()
		},
	}
	for name, f := range slow {
		for what, happen := range meanwhile {
			for _, step := range []string{"index", "leave"} {
				if step == "leave" && name != "take" {
					continue
				}
				t.Run(name+" paused before "+step+", the topic is "+what, func(t *testing.T) {
					e := storetest.NewVoting(t)
					wake := e.Asleep(step, func(s *store.Store) { f(s, e) })
					happen(e)
					wake()
					e.WantClean()
				})
			}
		}
	}
}

// A vote is in progress while its topic is deleted.
func TestDeleteTopicAgainstVote(t *testing.T) {
	tests := []struct {
		step string
		want forum.Code
	}{{"topic_vote", forum.CodeNotFound}, {"index", ""}}
	for _, tt := range tests {
		e := storetest.NewVoting(t)
		carl := e.User("carl")
		var err error
		wake := e.Asleep(tt.step, func(s *store.Store) {
			_, err = s.Votes.VoteTopic(e.Ctx, carl, e.Article,
				forum.VoteUp)
		})
		storetest.WantOK(t, "DeleteTopic", e.Posts.DeleteTopic(t.Context(), e.Bob, e.Article))
		wake()
		if got := forum.CodeOf(err); got != tt.want || (err == nil) != (tt.want == "") {
			t.Errorf("VoteTopic paused before %s = %v; want code %q", tt.step, err, tt.want)
		}
		e.Clock.Advance(record.TaskLease * time.Millisecond)
		e.WantClean()
	}
}

// A vote during the deletion of its user's account leaves no log, and counts.
func TestVoteAgainstDeletionOfItsUser(t *testing.T) {
	e := storetest.NewVoting(t)
	wake := e.Asleep("index", func(s *store.Store) { castSlowly(e, s, e.Ann, e.Article, forum.VoteDown) })
	storetest.WantOK(t, "DeleteAccount", e.Accounts.DeleteAccount(t.Context(), e.Ann.ID, "hash of ann"))
	wake()
	e.WantClean()
	if got := e.OneTopic(e.Article); got.Downvotes != 1 || e.Exists(key.VoteLog(e.Ann.ID)) {
		t.Errorf("%d votes against, log exists %t; want 1 and none", got.Downvotes, e.Exists(key.VoteLog(e.Ann.ID)))
	}
}

// A log keeps the latest thousand votes by their times, in whatever order they are written.
func TestVoteLogKeepsTheLatestThousand(t *testing.T) {
	e := storetest.NewVoting(t)
	now := int64(e.Engine.Now())
	fill := func(n int) {
		pipe := e.Redis.Pipeline()
		for i := range n {
			pipe.ZAdd(t.Context(), key.VoteLog(e.Ann.ID),
				storetest.Entry(forum.Time(4*(now-1_000_000+int64(i))+1), key.Itoa(forum.TopicID(2_000_000+i))))
		}
		must.Do(pipe.Exec(t.Context()))(t)
	}
	length := func() int64 { return e.Redis.ZCard(t.Context(), key.VoteLog(e.Ann.ID)).Val() }
	fill(forum.VoteLog - 1) // in addition to her vote on the article
	other := e.Post(site.Link(e.Bob))
	e.Cast(e.Ann, other, forum.VoteUp)
	if n := length(); n != forum.VoteLog {
		t.Errorf("the log has %d entries; want %d", n, forum.VoteLog)
	}
	if err := e.Redis.ZScore(t.Context(), key.VoteLog(e.Ann.ID), "2000000").Err(); !pipeline.IsNil(err) {
		t.Errorf("the oldest vote is still in the log: %v", err)
	}
	e.Cast(e.Ann, other, forum.VoteNone)
	own := e.Post(site.Link(e.Ann))
	if _, v := logOf(e.Site, e.Ann, own); v != forum.VoteUp || length() != forum.VoteLog {
		t.Errorf("her own article's entry is %s of %d; want UP of %d", v, length(), forum.VoteLog)
	}
	b := e.Store.Engine.Client.Batch()
	votes.VoteLogEntry{Topic: 77, User: e.Ann.ID, Cursor: "1000 UP"}.Queue(t.Context(), b)
	storetest.WantOK(t, "votelog_set", b.Exec(t.Context()))
	if _, v := logOf(e.Site, e.Ann, 77); v != "" || length() != forum.VoteLog {
		t.Errorf("a write too late for the log is there as %s, of %d", v, length())
	}
}
