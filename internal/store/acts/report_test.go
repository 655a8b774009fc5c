package acts_test

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
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// reportOf is a report of spam.
var reportOf = forum.Grounds{Reason: forum.ReasonSpam}

// wantQueued checks that the queue has a subject in the list of its state and category, and in no other.
func wantQueued(w *storetest.Thread, on forum.Subject, state forum.ReportState) {
	w.T.Helper()
	r := w.Read(w.Ctx)
	cases := site.Sent(w.T, r, r.Acts.Cases([]forum.Subject{on}))
	c := cases[0]
	if c == nil {
		if state != "" {
			w.T.Errorf("reports on %+v: none; want %s", on, state)
		}
		return
	}
	if c.State != state && !(c.State == "-" && state == "") {
		w.T.Errorf("reports on %+v are %s; want %s", on, c.State, state)
	}
	member := record.CaseState{Subject: on, Topic: c.Topic}.CaseMember()
	for _, of := range []string{"open", "upheld", "dismissed"} {
		for _, category := range []forum.CategoryID{0, w.A, w.B} {
			want := of == strings.ToLower(string(state)) && (category == 0 || category == c.Category)
			list := key.Queue(of, category)
			if got := w.Redis.ZScore(w.Ctx, list, member).Err() == nil; got != want {
				w.T.Errorf("%s has %s: %t; want %t", list, member, got, want)
			}
		}
	}
}

// reportMutations are the mutations of reports and held posts, each repeatable by a client; before prepares one, after
// returns what was reported, and its state at the end.
var reportMutations = []struct {
	name   string
	before func(w *storetest.Thread, mia *forum.Viewer) forum.Subject
	run    func(s *store.Store, w *storetest.Thread, mia *forum.Viewer, on forum.Subject) error
	state  forum.ReportState
}{
	{"report a topic", func(w *storetest.Thread, _ *forum.Viewer) forum.Subject {
		return forum.Subject{Topic: w.TopicID}
	},
		func(s *store.Store, w *storetest.Thread, _ *forum.Viewer, on forum.Subject) error {
			return s.Acts.Report(w.Ctx, w.Bob, on, reportOf)
		}, forum.ReportsOpen},
	{"report a comment", func(w *storetest.Thread, _ *forum.Viewer) forum.Subject {
		return forum.Subject{Comment: w.AnswerID}
	},
		func(s *store.Store, w *storetest.Thread, _ *forum.Viewer, on forum.Subject) error {
			return s.Acts.Report(w.Ctx, w.Bob, on, reportOf)
		}, forum.ReportsOpen},
	{"report a user", func(w *storetest.Thread, _ *forum.Viewer) forum.Subject { return forum.Subject{User: w.Ann.ID} },
		func(s *store.Store, w *storetest.Thread, _ *forum.Viewer, on forum.Subject) error {
			return s.Acts.Report(w.Ctx, w.Bob, on, reportOf)
		}, forum.ReportsOpen},
	{"resolve reports", func(w *storetest.Thread, _ *forum.Viewer) forum.Subject {
		on := forum.Subject{Topic: w.TopicID}
		storetest.WantOK(w.T, "Report", w.Acts.Report(w.Ctx, w.Bob, on, reportOf))
		return on
	}, func(s *store.Store, w *storetest.Thread, mia *forum.Viewer, on forum.Subject) error {
		_, err := s.Acts.ResolveReports(w.Ctx, mia, forum.Rules{}, on, 1, forum.OutcomeUpheld, reportOf)
		return err
	}, forum.ReportsUpheld},
	{"move what was reported", func(w *storetest.Thread, _ *forum.Viewer) forum.Subject {
		on := forum.Subject{Topic: w.TopicID}
		storetest.WantOK(w.T, "Report", w.Acts.Report(w.Ctx, w.Bob, on, reportOf))
		return on
	}, func(s *store.Store, w *storetest.Thread, _ *forum.Viewer, _ forum.Subject) error {
		return storetest.Move(s, w,
			w.B)
	}, forum.ReportsOpen},
	{"approve a held comment", func(w *storetest.Thread, _ *forum.Viewer) forum.Subject {
		in := site.Remark(w.TopicID, 0)
		in.Held = true
		id, err := w.Posts.CreateComment(w.Ctx, w.Bob, in)
		storetest.WantOK(w.T, "CreateComment", err)
		return forum.Subject{Comment: id}
	}, func(s *store.Store, w *storetest.Thread, mia *forum.Viewer, on forum.Subject) error {
		_, err := s.Moderation.Moderate(w.Ctx, mia, on, moderation.Moderation{Action: forum.ActRestore,
			Grounds: reportOf})
		return err
	}, ""},
	{"hide a held topic", func(w *storetest.Thread, _ *forum.Viewer) forum.Subject {
		in := site.Discussion(w.Bob, w.B)
		in.Held = true
		id, err := w.Posts.CreateTopic(w.Ctx, in)
		storetest.WantOK(w.T, "CreateTopic", err)
		return forum.Subject{Topic: id}
	}, func(s *store.Store, w *storetest.Thread, mia *forum.Viewer, on forum.Subject) error {
		_, err := s.Moderation.Moderate(w.Ctx, mia, on, moderation.Moderation{Action: forum.ActHide, Grounds: reportOf})
		return err
	}, ""},
	{"delete a held topic", func(w *storetest.Thread, _ *forum.Viewer) forum.Subject {
		in := site.Discussion(w.Bob, w.B)
		in.Held = true
		id, err := w.Posts.CreateTopic(w.Ctx, in)
		storetest.WantOK(w.T, "CreateTopic", err)
		return forum.Subject{Topic: id}
	}, func(s *store.Store, w *storetest.Thread, _ *forum.Viewer, on forum.Subject) error {
		return s.Posts.DeleteTopic(w.Ctx, w.Bob, on.Topic)
	}, ""},
}

// A process may be killed before any step of what concerns reports: the sweeper and the tasks finish what its script
// began, and a repeated call does no harm.
func TestCrashOfReportsAtEveryStep(t *testing.T) {
	testlevel.Sequential(t)
	for _, m := range reportMutations {
		t.Run(m.name, func(t *testing.T) {
			for n, died := 1, true; died; n++ {
				w := storetest.NewThread(t)
				mia := w.Moderator("mia")
				on := m.before(w, mia)
				w.Settle()
				died = w.Dies(n, func(s *store.Store) { m.run(s, w, mia, on) })
				w.Clock.Advance(record.TaskLease * time.Millisecond)
				w.Settle()
				if err := m.run(w.Store, w, mia, on); err != nil {
					t.Errorf("%s again after a crash before step %d = %v; want nil", m.name, n, err)
				}
				w.WantClean()
				wantQueued(w, on, m.state)
				must.Do(w.Engine.RunDueTasks(t.Context()))(t)
				if m.state == forum.ReportsUpheld && w.Redis.ZCard(w.Ctx, key.Unread(w.Bob.ID)).Val() == 0 {
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
	w := storetest.NewThread(t)
	mia := w.Moderator("mia")
	on := forum.Subject{Topic: w.TopicID}
	many := 2*engine.TaskPass + 5
	if !testlevel.All() {
		many = engine.TaskPass + 5
	}
	storetest.WantOK(t, "Report", w.Acts.Report(w.Ctx, w.Bob, on, reportOf))
	for i := range many {
		by := &forum.Viewer{ID: forum.UserID(forum.Partitions*(1000+i) + 3)}
		storetest.WantOK(t, "Report", w.Acts.Report(w.Ctx, by, on, reportOf))
	}
	must.Do(w.Acts.ResolveReports(w.Ctx, mia, forum.Rules{}, on, many+1, forum.OutcomeDismissed, reportOf))(t)
	w.Dies(2, func(s *store.Store) { s.Engine.RunDueTasks(w.Ctx) })
	w.Clock.Advance(time.Minute)
	if n, err := w.Engine.RunDueTasks(w.Ctx); n == 0 || err != nil {
		t.Errorf("RunDueTasks = %d, %v; want 1 or more", n, err)
	}
	notes := w.Redis.HGetAll(w.Ctx, key.Note(w.Bob.ID)).Val()
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
