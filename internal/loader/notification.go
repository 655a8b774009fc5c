package loader

import (
	"cmp"
	"context"
	"slices"

	"agora/internal/forum"
	"agora/internal/store/notify"
)

// Notifications returns notifications of a user by number; nil for those that no longer exist, and for every user
// except their owner.
func (l *Loaders) Notifications(ctx context.Context, owner forum.UserID,
	seqs []int64) ([]*forum.Notification, []error) {
	refs := make([]notify.NoteRef, len(seqs))
	for i, seq := range seqs {
		refs[i] = notify.NoteRef{Owner: owner, Seq: seq}
	}
	return l.NotificationsAt(ctx, refs)
}

// NotificationsAt is Notifications for several users.
func (l *Loaders) NotificationsAt(ctx context.Context, refs []notify.NoteRef) ([]*forum.Notification, []error) {
	own, which := l.ownNotes(refs)
	found, failed := l.notes.many(ctx, own)
	notes := make([]*forum.Notification, len(refs))
	var errs []error
	found, unseen := l.seenNotes(ctx, found)
	for n, i := range which {
		notes[i] = found[n]
		errs = addError(errs, len(refs), i, cmp.Or(at(failed, n), at(unseen, n)))
	}
	return notes, errs
}

// ownNotes returns the refs that belong to readers of the response, and their indexes in refs.
func (l *Loaders) ownNotes(refs []notify.NoteRef) (own []notify.NoteRef, which []int) {
	if len(refs) == 0 {
		return nil, nil
	}
	readers := l.readers()
	for i, r := range refs {
		if slices.Contains(readers, r.Owner) {
			own, which = append(own, r), append(which, i)
		}
	}
	return own, which
}

func (l *Loaders) askNotifications(refs []notify.NoteRef) {
	own, _ := l.ownNotes(refs)
	l.notes.ask(own)
}
