package store_test

import (
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/votes"
	"agora/internal/test/must"
	built "agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// A vote's write to its user's log comes late, after that of a newer vote by another process: the newer one
// stays.
func TestLateVoteLogWriteKeepsTheNewerVote(t *testing.T) {
	for _, later := range []forum.VoteDirection{forum.VoteDown, forum.VoteNone} {
		e := newVoteSite(t)
		wake := e.asleep("index", func(s *store.Store) { e.castSlowly(s, e.bob, e.article, forum.VoteNone) })
		e.Cast(e.bob, e.article, forum.VoteUp) // in the same millisecond
		e.Cast(e.bob, e.article, later)
		wake()
		e.wantClean()
		if _, got := e.logOf(e.bob, e.article); got != later {
			t.Errorf("the log after a late write says %s; want %s", got, later)
		}
	}
}

func (e *voteSite) castSlowly(s *store.Store, by *forum.Viewer, id forum.TopicID, v forum.VoteDirection) {
	built.On(e.t, s).Cast(by, id, v)
	s.Engine.Cleaner.Flush()
}

// A worker claims the task of a dead process and is paused; concurrently the user votes again. Neither the
// old vote nor the end of its task does any harm, even if the newer vote's process dies too.
func TestLateVoteTaskKeepsTheNewerVote(t *testing.T) {
	for _, dies := range []bool{false, true} {
		e := newVoteSite(t)
		e.dies(2, func(s *store.Store) { castIn(s, e, e.bob, e.article, forum.VoteNone) })
		e.clock.Advance(record.TaskLease * time.Millisecond)
		wake := e.asleep("task_pass", func(s *store.Store) { s.Engine.RunDueTasks(e.ctx) })
		if dies {
			e.dies(2, func(s *store.Store) { castIn(s, e, e.bob, e.article, forum.VoteDown) })
		} else {
			e.Cast(e.bob, e.article, forum.VoteDown)
		}
		wake()
		e.clock.Advance(record.TaskLease * time.Millisecond)
		e.wantClean()
		if _, got := e.logOf(e.bob, e.article); got != forum.VoteDown {
			t.Errorf("the log after a late task, the newer process died %t, says %s; want DOWN", dies, got)
		}
	}
}

// A late end of a task does not end the next task of the same name.
func TestLateEndOfAVoteTaskEndsNoOther(t *testing.T) {
	e := newVoteSite(t)
	name, p := record.VoteTask(e.article, e.bob.ID), e.article.Partition()
	e.dies(2, func(s *store.Store) { castIn(s, e, e.bob, e.article, forum.VoteNone) })
	late := engine.Task{Partition: p, Name: name, Token: e.hash(key.Task(p, name))["n"]}
	for _, step := range []struct {
		wait time.Duration
		want int
	}{{engine.FirstLease*time.Millisecond - time.Millisecond, 0}, {time.Millisecond, 1}} {
		e.clock.Advance(step.wait) // the task is reserved for its request for two seconds
		if n := e.runDue(); n != step.want {
			t.Fatalf("RunDueTasks = %d; want %d", n, step.want)
		}
	}
	e.dies(2, func(s *store.Store) { castIn(s, e, e.bob, e.article, forum.VoteDown) })
	wantOK(t, "task_done", e.Store.Engine.Client.Run(t.Context(), late.Ended()).Err())
	e.clock.Advance(record.TaskLease * time.Millisecond)
	e.wantClean()
	if _, got := e.logOf(e.bob, e.article); got != forum.VoteDown {
		t.Errorf("the log says %s; want DOWN", got)
	}
}

// Indexes of an old revision are written late: no old score and no removed tag is restored.
func TestLateIndexOfAnOldVote(t *testing.T) {
	testlevel.Sequential(t)
	slow := map[string]func(*store.Store, *voteSite){
		"vote": func(s *store.Store, e *voteSite) { e.castSlowly(s, e.ann, e.topic, forum.VoteUp) },
		"take": func(s *store.Store, e *voteSite) {
			wantOK(e.t, "TagTopic", s.Posts.TagTopic(e.ctx, e.ann, e.topic, nil, labels("go")))
		},
		"give": func(s *store.Store, e *voteSite) {
			wantOK(e.t, "TagTopic", s.Posts.TagTopic(e.ctx, e.ann, e.topic, labels("new"), nil))
		},
	}
	meanwhile := map[string]func(*voteSite){
		"voted on":     func(e *voteSite) { e.Cast(e.bob, e.topic, forum.VoteUp) },
		"commented on": func(e *voteSite) { e.Comment(e.bob, e.topic, 0) },
		"moved":        func(e *voteSite) { wantOK(e.t, "UpdateTopic", move(e.Store, e.threadSite, e.b)) },
		"deleted":      func(e *voteSite) { wantOK(e.t, "DeleteTopic", e.Posts.DeleteTopic(e.ctx, e.ann, e.topic)) },
		"tagged":       func(e *voteSite) { e.Give(e.ann, e.topic, labels("go", "third"), nil) },
		"tagged less":  func(e *voteSite) { e.Give(e.ann, e.topic, nil, labels("go", "new")) },
		"tagged twice": func(e *voteSite) {
			e.Give(e.ann, e.topic, nil, labels("new"))
			e.Give(e.ann, e.topic, labels("new"), nil)
		},
		"swept instead": func(e *voteSite) { e.clock.Advance(2 * time.Second); e.Engine.Sweep(e.ctx); e.Engine.Cleaner.Flush() },
	}
	for name, f := range slow {
		for what, happen := range meanwhile {
			for _, step := range []string{"index", "leave"} {
				if step == "leave" && name != "take" {
					continue
				}
				t.Run(name+" paused before "+step+", the topic is "+what, func(t *testing.T) {
					e := newVoteSite(t)
					wake := e.asleep(step, func(s *store.Store) { f(s, e) })
					happen(e)
					wake()
					e.wantClean()
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
		e := newVoteSite(t)
		carl := e.User("carl")
		var err error
		wake := e.asleep(tt.step, func(s *store.Store) {
			_, err = s.Votes.VoteTopic(e.ctx, carl, e.article,
				forum.VoteUp)
		})
		wantOK(t, "DeleteTopic", e.Posts.DeleteTopic(t.Context(), e.bob, e.article))
		wake()
		if got := forum.CodeOf(err); got != tt.want || (err == nil) != (tt.want == "") {
			t.Errorf("VoteTopic paused before %s = %v; want code %q", tt.step, err, tt.want)
		}
		e.clock.Advance(record.TaskLease * time.Millisecond)
		e.wantClean()
	}
}

// A vote during the deletion of its user's account leaves no log, and counts.
func TestVoteAgainstDeletionOfItsUser(t *testing.T) {
	e := newVoteSite(t)
	wake := e.asleep("index", func(s *store.Store) { e.castSlowly(s, e.ann, e.article, forum.VoteDown) })
	wantOK(t, "DeleteAccount", e.Accounts.DeleteAccount(t.Context(), e.ann.ID, "hash of ann"))
	wake()
	e.wantClean()
	if got := e.oneTopic(e.article); got.Downvotes != 1 || e.exists(key.VoteLog(e.ann.ID)) {
		t.Errorf("%d votes against, log exists %t; want 1 and none", got.Downvotes, e.exists(key.VoteLog(e.ann.ID)))
	}
}

// A log keeps the latest thousand votes by their times, in whatever order they are written.
func TestVoteLogKeepsTheLatestThousand(t *testing.T) {
	e := newVoteSite(t)
	now := int64(e.Engine.Now())
	fill := func(n int) {
		pipe := e.rdb.Pipeline()
		for i := range n {
			pipe.ZAdd(t.Context(), key.VoteLog(e.ann.ID),
				z(forum.Time(4*(now-1_000_000+int64(i))+1), key.Itoa(forum.TopicID(2_000_000+i))))
		}
		must.Do(pipe.Exec(t.Context()))(t)
	}
	length := func() int64 { return e.rdb.ZCard(t.Context(), key.VoteLog(e.ann.ID)).Val() }
	fill(forum.VoteLog - 1) // in addition to her vote on the article
	other := e.Post(link(e.bob))
	e.Cast(e.ann, other, forum.VoteUp)
	if n := length(); n != forum.VoteLog {
		t.Errorf("the log has %d entries; want %d", n, forum.VoteLog)
	}
	if err := e.rdb.ZScore(t.Context(), key.VoteLog(e.ann.ID), "2000000").Err(); !pipeline.IsNil(err) {
		t.Errorf("the oldest vote is still in the log: %v", err)
	}
	e.Cast(e.ann, other, forum.VoteNone)
	own := e.Post(link(e.ann))
	if _, v := e.logOf(e.ann, own); v != forum.VoteUp || length() != forum.VoteLog {
		t.Errorf("her own article's entry is %s of %d; want UP of %d", v, length(), forum.VoteLog)
	}
	b := e.Store.Engine.Client.Batch()
	votes.VoteLogEntry{Topic: 77, User: e.ann.ID, Cursor: "1000 UP"}.Queue(t.Context(), b)
	wantOK(t, "votelog_set", b.Exec(t.Context()))
	if _, v := e.logOf(e.ann, 77); v != "" || length() != forum.VoteLog {
		t.Errorf("a write too late for the log is there as %s, of %d", v, length())
	}
}
