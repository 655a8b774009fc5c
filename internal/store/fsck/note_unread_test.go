package fsck

import (
	"maps"
	"strings"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/moderation"
	"agora/internal/test/must"
)

// After a fail-over has lost revisions of a comment or topic that another slot knows of, and a repair, the badge
// follows hiding and restoring again.
func TestBadgeFollowsAfterLostRevisions(t *testing.T) {
	for name, of := range map[string]func(w *world) forum.Subject{
		"comment": func(w *world) forum.Subject { return forum.Subject{Comment: w.answer} },
		"topic":   func(w *world) forum.Subject { return forum.Subject{Topic: w.topic} },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			mod := w.Moderator("mod")
			wantUnread := func(when string, act forum.ActKind, want int64) {
				t.Helper()
				must.Do(w.Moderation.Moderate(w.ctx, mod, of(w), moderation.Moderation{Action: act,
					Grounds: because}))(t)
				wantOK(t, "Flush", w.Flush(w.ctx))
				must.Do(w.Engine.RunDueTasks(w.ctx))(t)
				if n := w.rdb.ZCard(w.ctx, key.Unread(w.bob.ID)).Val(); n != want {
					t.Errorf("%s: %d unread notifications after %s; want %d", when, n, act, want)
				}
			}
			before := w.freeze()
			for range 2 {
				wantUnread("before the loss", forum.ActHide, 0)
				wantUnread("before the loss", forum.ActRestore, 1)
			}
			w.failOver(key.SlotPrefix(key.Topic(w.topic)), before)
			must.Do(Check(w.ctx, w.Store, Options{Repair: true, Rest: time.Nanosecond}))(t)
			wantUnread("after the repair", forum.ActHide, 0)
			wantUnread("after the repair", forum.ActRestore, 1)
		})
	}
}

// failOver loses what was written in a slot since its keys were frozen.
func (w *world) failOver(slot string, before map[string]frozenKey) {
	w.t.Helper()
	kept := w.freeze()
	maps.DeleteFunc(kept, func(name string, _ frozenKey) bool { return strings.HasPrefix(name, slot) })
	for name, k := range before {
		if strings.HasPrefix(name, slot) {
			kept[name] = k
		}
	}
	now := w.Engine.Now()
	w.site = thawed(w.t, kept)
	w.at(now)
}
