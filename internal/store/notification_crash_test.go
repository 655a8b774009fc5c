package store

import (
	"maps"
	"strings"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/test/testlevel"
)

// What tells somebody, with all who are to be told of it.
var tellers = []struct {
	name string
	run  func(*Store, *tellerSite) error
	want func(*tellerSite) map[*forum.Viewer]string
}{
	{"a reply that mentions", func(s *Store, w *tellerSite) error {
		in := remark(w.topic, w.comment)
		in.Mentions, in.Key = naming(w.carl, w.bob), "k"
		_, err := s.CreateComment(w.ctx, w.dora, in)
		return err
	}, func(w *tellerSite) map[*forum.Viewer]string {
		return map[*forum.Viewer]string{w.ann: "COMMENT", w.bob: "REPLY", w.carl: "MENTION"}
	}},
	{"a topic that mentions", func(s *Store, w *tellerSite) error {
		in := discussion(w.dora, w.a)
		in.Mentions, in.Key = naming(w.carl, w.bob), "k"
		_, err := s.CreateTopic(w.ctx, in)
		return err
	}, func(w *tellerSite) map[*forum.Viewer]string {
		return map[*forum.Viewer]string{w.bob: "MENTION", w.carl: "MENTION"}
	}},
	{"an edit that mentions", func(s *Store, w *tellerSite) error {
		return s.UpdateComment(w.ctx, w.dora, w.own, CommentChange{Content: "x", Mentions: naming(w.carl)})
	}, func(w *tellerSite) map[*forum.Viewer]string { return map[*forum.Viewer]string{w.carl: "MENTION"} }},
	{"following", func(s *Store, w *tellerSite) error {
		_, err := s.Follow(w.ctx, w.dora.ID, forum.Target{User: w.bob.ID}, true)
		return err
	}, func(w *tellerSite) map[*forum.Viewer]string { return map[*forum.Viewer]string{w.bob: "FOLLOW"} }},
}

// tellerSite is a world with two more users and a comment of dora's on her own topic.
type tellerSite struct {
	*world
	carl, dora *forum.Viewer
	own        forum.CommentID
}

func newTellerSite(t testing.TB) *tellerSite {
	t.Helper()
	w := &tellerSite{world: newWorld(t)}
	w.carl, w.dora = w.user("carl"), w.user("dora")
	w.own = w.site.comment(w.dora, w.site.topic(w.dora, w.a), 0)
	w.settle()
	return w
}

// toldSince is what users were told of since each had so many notifications.
func (w *tellerSite) toldSince(before map[*forum.Viewer]int) map[*forum.Viewer]string {
	w.t.Helper()
	all := map[*forum.Viewer]string{}
	for v, n := range before {
		for _, line := range w.told(v)[n:] {
			all[v] += strings.Fields(line)[1]
		}
	}
	return all
}

// A process may be killed before any step: another tells whom it left, each once, and the
// client's repetition tells nobody again.
func TestCrashAtEveryStepOfTelling(t *testing.T) {
	testlevel.Usual(t)
	for _, m := range tellers {
		t.Run(m.name, func(t *testing.T) {
			for n, died := 1, true; died; n++ {
				w := newTellerSite(t)
				before := map[*forum.Viewer]int{}
				for _, v := range []*forum.Viewer{w.ann, w.bob, w.carl, w.dora} {
					before[v] = len(w.told(v))
				}
				died = w.dies(n, func(s *Store) { m.run(s, w) })
				heal := func(when string, mayBeNone bool) {
					w.clock.Advance(record.TaskLease * time.Millisecond)
					w.settle()
					w.wantSound()
					if got, want := w.toldSince(before), m.want(w); !maps.Equal(got, want) && !(mayBeNone && len(got) == 0) {
						t.Errorf("%s: told %v; want %v", when, got, want)
					}
					for _, f := range w.findings() {
						t.Errorf("%s: Check found %s; want nothing", when, f)
					}
				}
				heal("after the crash", n <= 2) // before its first script, which may come after the key's
				wantOK(t, m.name+" again", m.run(w.Store, w))
				heal("after the repetition", false)
				if t.Failed() {
					t.Fatalf("killed before step %d", n)
				}
			}
		})
	}
}

// A worker that tells what others left may be killed too.
func TestCrashOfTheWorkerThatTells(t *testing.T) {
	testlevel.Usual(t)
	for n, died := 1, true; died; n++ {
		w := newTellerSite(t)
		w.diesAt("index", 1, func(s *Store) { tellers[0].run(s, w) })
		w.clock.Advance(record.TaskLease * time.Millisecond)
		died = w.dies(n, func(s *Store) { s.RunDueTasks(w.ctx) })
		w.clock.Advance(record.TaskLease * time.Millisecond)
		w.settle()
		w.wantSound()
		if got := len(w.told(w.carl)); got != 1 {
			t.Errorf("the worker was killed before step %d: carl was told %d times; want once", n, got)
		}
	}
}

// A comment that is deleted before anybody was told tells nobody; the task ends.
func TestDeletedCommentsTellNobody(t *testing.T) {
	w := newTellerSite(t)
	w.diesAt("index", 1, func(s *Store) { tellers[0].run(s, w) })
	last := ids[forum.CommentID](w.site, TopicComments(w.topic, false, forum.Newest))[0]
	wantOK(t, "DeleteComment", w.DeleteComment(w.ctx, w.dora, last))
	w.clock.Advance(record.TaskLease * time.Millisecond)
	w.settle()
	w.wantNotes("after the deletion", w.carl)
	if h := w.hash(key.Comment(last)); h["tell"] != "" || h["told"] != "" {
		t.Errorf("comment = %v; want nothing to tell, and nobody told", h)
	}
	w.wantSound()
}
