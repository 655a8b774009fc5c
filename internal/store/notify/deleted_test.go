package notify_test

import (
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/listing"
	"agora/internal/store/storetest"
	"agora/internal/test/testlevel"
)

// endings delete the subjects of notifications.
var endings = []struct {
	name     string
	notifier int
	run      func(*store.Store, *notifySite) error
}{
	{"the comment", 0, func(s *store.Store, w *notifySite) error {
		return s.Posts.DeleteComment(w.Ctx, w.dora, storetest.IDs[forum.CommentID](w.Site,
			listing.TopicComments(w.TopicID, false,
				forum.Newest))[0])
	}},
	{"the topic of the comment", 0, func(s *store.Store, w *notifySite) error {
		return s.Posts.DeleteTopic(w.Ctx,
			w.Ann, w.TopicID)
	}},
	{"the topic", 1, func(s *store.Store, w *notifySite) error {
		latest := listing.List{Name: "profile", Key: key.Profile(w.dora.ID), Newest: true, Packed: true}
		if found := storetest.IDs[forum.TopicID](w.Site, latest); len(found) == 2 {
			return s.Posts.DeleteTopic(w.Ctx, w.dora, found[0])
		}
		return nil
	}},
	{"the edited comment", 2, func(s *store.Store, w *notifySite) error {
		return s.Posts.DeleteComment(w.Ctx, w.dora,
			w.own)
	}},
	{"the account", 3, func(s *store.Store, w *notifySite) error {
		err := s.Accounts.DeleteAccount(w.Ctx, w.dora.ID, "hash of dora")
		if err == nil {
			_, err = s.Engine.RunDueTasks(w.Ctx)
		}
		return err
	}},
}

// wantAllRead fails the test if any user has an unread notification.
func (w *notifySite) wantAllRead(when string) {
	w.T.Helper()
	w.Clock.Advance(record.TaskLease * time.Millisecond)
	w.Settle()
	w.Clock.Advance(record.TaskLease * time.Millisecond)
	w.Settle()
	for _, v := range []*forum.Viewer{w.Ann, w.Bob, w.carl} {
		if n := w.Redis.ZCard(w.Ctx, key.Unread(v.ID)).Val(); n != 0 {
			w.T.Errorf("%s: user %d has %d unread notifications; want none", when, v.ID, n)
		}
	}
	w.WantSound()
}

// newReadSite is a notifySite on which every notification was read.
func newReadSite(t *testing.T) *notifySite {
	w := newNotifySite(t)
	for _, v := range []*forum.Viewer{w.Ann, w.Bob, w.carl} {
		storetest.WantOK(t, "MarkNotifications", w.Notify.MarkNotifications(w.Ctx, v.ID))
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
				storetest.WantOK(t, "tell", notifiers[m.notifier].run(w.Store, w))
				if n%2 == 0 { // otherwise told is not recorded yet
					w.Settle()
				}
				died = w.Dies(n, func(s *store.Store) { m.run(s, w) })
				if n == 1 {
					storetest.WantOK(t, "delete", m.run(w.Store, w))
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
			wake := w.Asleep(step, func(s *store.Store) { notifiers[m.notifier].run(s, w) })
			storetest.WantOK(t, "delete", m.run(w.Store, w))
			wake()
			w.wantAllRead("after a late process")

			w = newReadSite(t)
			wake = w.Asleep(step, func(s *store.Store) { notifiers[m.notifier].run(s, w) })
			storetest.WantOK(t, "delete", m.run(w.Store, w))
			w.Clock.Advance(record.TaskLease * time.Millisecond)
			w.Settle() // another process does the task
			wake()
			w.wantAllRead("after a process whose lease expired")

			w = newReadSite(t)
			w.DiesAt(step, 1, func(s *store.Store) { notifiers[m.notifier].run(s, w) })
			storetest.WantOK(t, "delete", m.run(w.Store, w))
			w.wantAllRead("after a process that died")
		})
	}
}
