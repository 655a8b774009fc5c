package turns

import (
	"context"
	"time"
)

// Send waits until the turn's network may send Redis work for that long. If that takes time the turn is paused, and
// stays so: what others wait for must not wait for a processor. Unless it fails, with ErrBusy or ctx's error, done must be
// called when Redis has done the work.
func (t *Turn) Send(ctx context.Context, work time.Duration) (done func(), err error) {
	room, n := t.all.sent, int(work/time.Microsecond)
	w, err := room.ask(t.network, n)
	if w != nil {
		t.Pause()
		err = room.await(ctx, t.network, w)
	}
	if err != nil {
		return nil, err
	}
	return func() { room.give(t.network, n) }, nil
}

// Take waits until the turn's network may hold n more of a room, without a processor while it waits. Unless it fails,
// with ErrBusy or ctx's error, release must be called.
func (t *Turn) Take(ctx context.Context, room *Room, n int) (release func(), err error) {
	if t == nil {
		return room.Acquire(ctx, "", n)
	}
	if err := t.acquire(ctx, room, n); err != nil {
		return nil, err
	}
	return func() { room.give(t.network, n) }, nil
}

func (t *Turn) acquire(ctx context.Context, room *Room, n int) error {
	w, err := room.ask(t.network, n)
	if w != nil {
		t.Aside(ctx, func() { err = room.await(ctx, t.network, w) })
	}
	return err
}

// Aside pauses the turn while do waits for something else.
func (t *Turn) Aside(ctx context.Context, do func()) {
	if t.Pause() {
		defer t.Resume(ctx)
	}
	do()
}

// Enter puts an entry into a channel that bounds how many do something at a time, once it has room. The caller's turn is
// paused meanwhile. It returns ctx's error, and puts nothing, if ctx is done first.
func Enter(ctx context.Context, slots chan<- struct{}) (err error) {
	select {
	case slots <- struct{}{}:
		return nil
	default:
	}
	From(ctx).Aside(ctx, func() {
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
			err = ctx.Err()
		}
	})
	return err
}

type turnKey struct{}

// With returns a context with a turn.
func With(ctx context.Context, t *Turn) context.Context { return context.WithValue(ctx, turnKey{}, t) }

// From returns the turn of a context, or nil.
func From(ctx context.Context) *Turn {
	t, _ := ctx.Value(turnKey{}).(*Turn)
	return t
}

// Detach returns ctx with a turn of its own, which the payer of from's turn pays, for work that goes on by itself and
// that others may wait for. end must be called when it is done.
func Detach(ctx, from context.Context) (_ context.Context, end func()) {
	t := From(from).Fork()
	if t == nil {
		return With(ctx, nil), func() {}
	}
	t.kept = true
	t.Resume(ctx)
	return With(ctx, t), t.End
}
