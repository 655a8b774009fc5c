package store_test

import (
	"testing"
	"time"

	"agora/internal/store"
	"agora/internal/store/listing"
	"agora/internal/test/testlevel"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// endings delete the subjects of notifications.
var endings = []struct {
	name     string
	notifier int
	run      func(*store.Store, *notifySite) error
}{
	{"the comment", 0, func(s *store.Store, w *notifySite) error {
		return s.Posts.DeleteComment(w.ctx, w.dora, ids[forum.CommentID](w.site, listing.TopicComments(w.topic, false,
			forum.Newest))[0])
	}},
	{"the topic of the comment", 0, func(s *store.Store, w *notifySite) error {
		return s.Posts.DeleteTopic(w.ctx,
			w.ann, w.topic)
	}},
	{"the topic", 1, func(s *store.Store, w *notifySite) error {
		latest := listing.List{Name: "profile", Key: key.Profile(w.dora.ID), Newest: true, Packed: true}
		if found := ids[forum.TopicID](w.site, latest); len(found) == 2 {
			return s.Posts.DeleteTopic(w.ctx, w.dora, found[0])
		}
		return nil
	}},
	{"the edited comment", 2, func(s *store.Store, w *notifySite) error {
		return s.Posts.DeleteComment(w.ctx, w.dora,
			w.own)
	}},
	{"the account", 3, func(s *store.Store, w *notifySite) error {
		err := s.Accounts.DeleteAccount(w.ctx, w.dora.ID, "hash of dora")
		if err == nil {
			_, err = s.Engine.RunDueTasks(w.ctx)
		}
		return err
	}},
}

// wantAllRead fails the test if any user has an unread notification.
func (w *notifySite) wantAllRead(when string) {
	w.t.Helper()
	w.clock.Advance(record.TaskLease * time.Millisecond)
	w.settle()
	w.clock.Advance(record.TaskLease * time.Millisecond)
	w.settle()
	for _, v := range []*forum.Viewer{w.ann, w.bob, w.carl} {
		if n := w.rdb.ZCard(w.ctx, key.Unread(v.ID)).Val(); n != 0 {
			w.t.Errorf("%s: user %d has %d unread notifications; want none", when, v.ID, n)
		}
	}
	w.wantSound()
}

// newReadSite is a notifySite on which every notification was read.
func newReadSite(t *testing.T) *notifySite {
	w := newNotifySite(t)
	for _, v := range []*forum.Viewer{w.ann, w.bob, w.carl} {
		wantOK(t, "MarkNotifications", w.Notify.MarkNotifications(w.ctx, v.ID))
	}
	return w
}

// Notifications of deleted subjects are not unread, wherever the deleting process was killed.
func TestCrashAtEveryStepOfRetracting(t *testing.T) {
	testlevel.Sequential(t)
	for _, m := range endings {
		t.Run(m.name, func(t *testing.T) {
			for n, died := 1, true; died && !t.Failed(); n++ {
				w := newReadSite(t)
				wantOK(t, "tell", notifiers[m.notifier].run(w.Store, w))
				if n%2 == 0 { // otherwise told is not recorded yet
					w.settle()
				}
				died = w.dies(n, func(s *store.Store) { m.run(s, w) })
				if n == 1 {
					wantOK(t, "delete", m.run(w.Store, w))
				}
				w.wantAllRead("after the crash")
			}
		})
	}
}

// A process that notifies late, after the subject was deleted, leaves nothing unread.
func TestLateNotificationsOfDeletedSubjects(t *testing.T) {
	testlevel.Sequential(t)
	steps := []string{"index", "index", "note_add", "edge_reverse"}
	for _, m := range endings {
		t.Run(m.name, func(t *testing.T) {
			step := steps[m.notifier]
			w := newReadSite(t)
			wake := w.asleep(step, func(s *store.Store) { notifiers[m.notifier].run(s, w) })
			wantOK(t, "delete", m.run(w.Store, w))
			wake()
			w.wantAllRead("after a late process")

			w = newReadSite(t)
			wake = w.asleep(step, func(s *store.Store) { notifiers[m.notifier].run(s, w) })
			wantOK(t, "delete", m.run(w.Store, w))
			w.clock.Advance(record.TaskLease * time.Millisecond)
			w.settle() // another process does the task
			wake()
			w.wantAllRead("after a process whose lease expired")

			w = newReadSite(t)
			w.diesAt(step, 1, func(s *store.Store) { notifiers[m.notifier].run(s, w) })
			wantOK(t, "delete", m.run(w.Store, w))
			w.wantAllRead("after a process that died")
		})
	}
}
