package store_test

import (
	"strings"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/moderation"
	"agora/internal/test/must"
	built "agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// reportOf is a report of spam.
var reportOf = forum.Grounds{Reason: forum.ReasonSpam}

// wantQueued checks that the queue has a subject in the list of its state and category, and in no other.
func (w *threadSite) wantQueued(on forum.Subject, state forum.ReportState) {
	w.t.Helper()
	r := w.Read(w.ctx)
	cases := built.Sent(w.t, r, r.Acts.Cases([]forum.Subject{on}))
	c := cases[0]
	if c == nil {
		if state != "" {
			w.t.Errorf("reports on %+v: none; want %s", on, state)
		}
		return
	}
	if c.State != state && !(c.State == "-" && state == "") {
		w.t.Errorf("reports on %+v are %s; want %s", on, c.State, state)
	}
	member := record.CaseState{Subject: on, Topic: c.Topic}.CaseMember()
	for _, of := range []string{"open", "upheld", "dismissed"} {
		for _, category := range []forum.CategoryID{0, w.a, w.b} {
			want := of == strings.ToLower(string(state)) && (category == 0 || category == c.Category)
			list := key.Queue(of, category)
			if got := w.rdb.ZScore(w.ctx, list, member).Err() == nil; got != want {
				w.t.Errorf("%s has %s: %t; want %t", list, member, got, want)
			}
		}
	}
}

// reportMutations are the mutations of reports and held posts, each repeatable by a client; before prepares one, after
// returns what was reported, and its state at the end.
var reportMutations = []struct {
	name   string
	before func(w *threadSite, mia *forum.Viewer) forum.Subject
	run    func(s *store.Store, w *threadSite, mia *forum.Viewer, on forum.Subject) error
	state  forum.ReportState
}{
	{"report a topic", func(w *threadSite, _ *forum.Viewer) forum.Subject { return forum.Subject{Topic: w.topic} },
		func(s *store.Store, w *threadSite, _ *forum.Viewer, on forum.Subject) error {
			return s.Acts.Report(w.ctx, w.bob, on, reportOf)
		}, forum.ReportsOpen},
	{"report a comment", func(w *threadSite, _ *forum.Viewer) forum.Subject { return forum.Subject{Comment: w.answer} },
		func(s *store.Store, w *threadSite, _ *forum.Viewer, on forum.Subject) error {
			return s.Acts.Report(w.ctx, w.bob, on, reportOf)
		}, forum.ReportsOpen},
	{"report a user", func(w *threadSite, _ *forum.Viewer) forum.Subject { return forum.Subject{User: w.ann.ID} },
		func(s *store.Store, w *threadSite, _ *forum.Viewer, on forum.Subject) error {
			return s.Acts.Report(w.ctx, w.bob, on, reportOf)
		}, forum.ReportsOpen},
	{"resolve reports", func(w *threadSite, _ *forum.Viewer) forum.Subject {
		on := forum.Subject{Topic: w.topic}
		wantOK(w.t, "Report", w.Acts.Report(w.ctx, w.bob, on, reportOf))
		return on
	}, func(s *store.Store, w *threadSite, mia *forum.Viewer, on forum.Subject) error {
		_, err := s.Acts.ResolveReports(w.ctx, mia, on, 1, forum.OutcomeUpheld, reportOf)
		return err
	}, forum.ReportsUpheld},
	{"move what was reported", func(w *threadSite, _ *forum.Viewer) forum.Subject {
		on := forum.Subject{Topic: w.topic}
		wantOK(w.t, "Report", w.Acts.Report(w.ctx, w.bob, on, reportOf))
		return on
	}, func(s *store.Store, w *threadSite, _ *forum.Viewer, _ forum.Subject) error {
		return move(s, w,
			w.b)
	}, forum.ReportsOpen},
	{"approve a held comment", func(w *threadSite, _ *forum.Viewer) forum.Subject {
		in := remark(w.topic, 0)
		in.Held = true
		id, err := w.Posts.CreateComment(w.ctx, w.bob, in)
		wantOK(w.t, "CreateComment", err)
		return forum.Subject{Comment: id}
	}, func(s *store.Store, w *threadSite, mia *forum.Viewer, on forum.Subject) error {
		_, err := s.Moderation.Moderate(w.ctx, mia, on, moderation.Moderation{Action: forum.ActRestore,
			Grounds: reportOf})
		return err
	}, ""},
	{"hide a held topic", func(w *threadSite, _ *forum.Viewer) forum.Subject {
		in := discussion(w.bob, w.b)
		in.Held = true
		id, err := w.Posts.CreateTopic(w.ctx, in)
		wantOK(w.t, "CreateTopic", err)
		return forum.Subject{Topic: id}
	}, func(s *store.Store, w *threadSite, mia *forum.Viewer, on forum.Subject) error {
		_, err := s.Moderation.Moderate(w.ctx, mia, on, moderation.Moderation{Action: forum.ActHide, Grounds: reportOf})
		return err
	}, ""},
	{"delete a held topic", func(w *threadSite, _ *forum.Viewer) forum.Subject {
		in := discussion(w.bob, w.b)
		in.Held = true
		id, err := w.Posts.CreateTopic(w.ctx, in)
		wantOK(w.t, "CreateTopic", err)
		return forum.Subject{Topic: id}
	}, func(s *store.Store, w *threadSite, _ *forum.Viewer, on forum.Subject) error {
		return s.Posts.DeleteTopic(w.ctx, w.bob, on.Topic)
	}, ""},
}

// A process may be killed before any step of what concerns reports: the sweeper and the tasks finish what its script
// began, and a repeated call does no harm.
func TestCrashOfReportsAtEveryStep(t *testing.T) {
	testlevel.Sequential(t)
	for _, m := range reportMutations {
		t.Run(m.name, func(t *testing.T) {
			for n, died := 1, true; died; n++ {
				w := newThreadSite(t)
				mia := w.Moderator("mia")
				on := m.before(w, mia)
				w.settle()
				died = w.dies(n, func(s *store.Store) { m.run(s, w, mia, on) })
				w.clock.Advance(record.TaskLease * time.Millisecond)
				w.settle()
				if err := m.run(w.Store, w, mia, on); err != nil {
					t.Errorf("%s again after a crash before step %d = %v; want nil", m.name, n, err)
				}
				w.wantClean()
				w.wantQueued(on, m.state)
				must.Do(w.Engine.RunDueTasks(t.Context()))(t)
				if m.state == forum.ReportsUpheld && w.rdb.ZCard(w.ctx, key.Unread(w.bob.ID)).Val() == 0 {
					t.Errorf("killed before step %d: the reporter was not notified", n)
				}
				if t.Failed() {
					t.Fatalf("%s was killed before step %d", m.name, n)
				}
			}
		})
	}
}

// Reporters are notified once, a thousand in a pass, wherever a worker dies.
func TestReportersAreNotified(t *testing.T) {
	testlevel.Sequential(t)
	w := newThreadSite(t)
	mia := w.Moderator("mia")
	on := forum.Subject{Topic: w.topic}
	many := 2*engine.TaskPass + 5
	if !testlevel.All() {
		many = engine.TaskPass + 5
	}
	wantOK(t, "Report", w.Acts.Report(w.ctx, w.bob, on, reportOf))
	for i := range many {
		by := &forum.Viewer{ID: forum.UserID(forum.Partitions*(1000+i) + 3)}
		wantOK(t, "Report", w.Acts.Report(w.ctx, by, on, reportOf))
	}
	must.Do(w.Acts.ResolveReports(w.ctx, mia, on, many+1, forum.OutcomeDismissed, reportOf))(t)
	w.dies(2, func(s *store.Store) { s.Engine.RunDueTasks(w.ctx) })
	w.clock.Advance(time.Minute)
	if n, err := w.Engine.RunDueTasks(w.ctx); n == 0 || err != nil {
		t.Errorf("RunDueTasks = %d, %v; want 1 or more", n, err)
	}
	notes := w.rdb.HGetAll(w.ctx, key.Note(w.bob.ID)).Val()
	notified := 0
	for _, value := range notes {
		if strings.HasPrefix(value, string(forum.NotifyReport)+" ") {
			notified++
		}
	}
	if notified != 1 {
		t.Errorf("bob's notifications = %v; want one of the outcome", notes)
	}
}
