package fsck

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/change"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/posts"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// moreMutations are mutations of several steps on accounts and by readers.
var moreMutations = map[string]func(*store.Store, *world){
	"register": func(s *store.Store, w *world) { s.Accounts.Register(w.ctx, account("dan")) },
	"change e-mail": func(s *store.Store, w *world) {
		changeEmail(s, w.site, "ann", w.ann.ID, "new@example.org")
	},
	"delete account": func(s *store.Store, w *world) { s.Accounts.DeleteAccount(w.ctx, w.ann.ID, "hash of ann") },
	"vote":           func(s *store.Store, w *world) { s.Votes.VoteTopic(w.ctx, w.bob, w.topic, forum.VoteUp) },
	"post with tags": func(s *store.Store, w *world) {
		in := discussion(w.ann, w.b)
		in.Tags = labels("fresh", "old")
		s.Posts.CreateTopic(w.ctx, in)
	},
	"delete an empty category": func(s *store.Store, w *world) { s.Categories.DeleteCategory(w.ctx, nil, w.empty) },
	"follow": func(s *store.Store, w *world) {
		s.Follows.Follow(w.ctx, w.bob.ID,
			forum.Target{User: w.ann.ID}, true)
	},
	"bookmark": func(s *store.Store, w *world) { s.Follows.Bookmark(w.ctx, w.bob.ID, w.topic, true) },
	"block":    func(s *store.Store, w *world) { s.Follows.Block(w.ctx, w.bob.ID, w.ann.ID, true) },
	"report, move and resolve": func(s *store.Store, w *world) {
		on := forum.Subject{Topic: w.topic}
		s.Acts.Report(w.ctx, w.bob, on, forum.Grounds{Reason: forum.ReasonSpam})
		s.Posts.UpdateTopic(w.ctx, w.ann, w.topic, posts.TopicChange{Category: &w.b})
		admin := &forum.Viewer{ID: w.bob.ID, Role: forum.RoleAdmin}
		s.Acts.ResolveReports(w.ctx, admin, forum.Rules{}, on, 1, forum.OutcomeUpheld, forum.Grounds{Reason: forum.ReasonOther})
	},
}

// A copy of a site whose servers were killed during mutations contains marks and tasks, and
// outdated lists. None of that is broken, however old the copy is.
func TestCheckOfACopyFindsOnlyPendingWork(t *testing.T) {
	testlevel.WithoutRace(t)
	all := map[string]func(*store.Store, *world){}
	for _, m := range mutations {
		all[m.name] = func(s *store.Store, w *world) { m.run(s, w) }
	}
	for name, run := range moreMutations {
		all[name] = run
	}
	for name, run := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for step, died := 1, true; died; step++ {
				w := newWorld(t)
				died = w.dies(step, func(s *store.Store) { run(s, w) })
				w.wantPending(fmt.Sprintf("after death at step %d", step))
			}
		})
	}
}

// wantPending advances the clock and checks that nothing is broken, and that nothing is pending
// after a sweep.
func (w *world) wantPending(when string) {
	w.t.Helper()
	w.clock.Advance(10 * time.Minute)
	check := func(when string) *Report {
		r := must.Do(Check(w.ctx, w.Store, Options{Rest: time.Nanosecond}))(w.t)
		for _, f := range r.Findings {
			if f.Rule == RuleExpiryLong { // the test's clock is decades ahead of Redis's
				r.Found--
			} else if !f.Pending {
				w.t.Errorf("%s Check found %s; want nothing, or pending", when, f)
			}
		}
		if r.Broken() != 0 {
			w.t.Errorf("%s %d are broken; want none", when, r.Broken())
		}
		return r
	}
	check(when)
	wantOK(w.t, "Settle", w.Flush(w.ctx))
	if r := check(when + " and a sweep"); r.Pending != 0 {
		w.t.Errorf("%s and a sweep %v are pending; want nothing", when, r.Findings)
	}
}

// What was repaired after it was confirmed, and has no mark any more for that reason, is not broken.
func TestWorkFinishedDuringACheckIsNotBroken(t *testing.T) {
	x := newCheckSite(t)
	old := x.Engine.Now() - forum.Time((10 * time.Minute).Milliseconds())
	x.do("ZADD", key.Dirty(x.thread.Partition()), int64(old), "t:"+key.Itoa(x.thread))
	x.do("ZREM", key.FrontContainer.Order(key.OrderCreated), x.place(x.thread))
	x.do("ZREM", key.FrontContainer.Order(key.OrderActive), x.place(x.thread))
	x.do("HDEL", key.FrontContainer.Revisions(), key.Itoa(x.thread))
	c := must.Do(checkAll(x.ctx, x.Store, Options{Rest: time.Nanosecond}))(t)
	if !slices.ContainsFunc(c.confirmed, func(f check.Found) bool { return f.Rule == change.RuleIndexMissing }) {
		t.Fatalf("the check confirms %v; want %s", c.confirmed, change.RuleIndexMissing)
	}
	wantOK(t, "Flush", x.Flush(x.ctx))
	wantOK(t, "checkPending", c.checkPending(x.ctx))
	for _, f := range c.confirmed {
		if !f.Pending {
			t.Errorf("the check finds %s; want nothing that was repaired meanwhile", f.Finding)
		}
	}
}
