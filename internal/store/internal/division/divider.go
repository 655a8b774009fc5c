package division

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/script"
)

// cursors of the task of a division: "" begins it.
const (
	cursorCopy = "copy" // followed by the last member copied, if any
	cursorRead = "read"
	cursorEnd  = "end"
)

// Divider divides indexes while they are in use (docs/architecture/writing.md, "Divided indexes"). The slot of the
// index has the state that decides about writes: a process that does not know of the division learns of it from the
// guard of the index, whatever it knew before. key.Divisions has the state that decides about reads; it runs ahead of
// what is deleted by Settle.
type Divider struct {
	Client *pipeline.Client
	Cache  *Cache
	Log    *slog.Logger
	// Settle is how long to wait for all processes to read key.Divisions.
	Settle time.Duration
	// Today returns the current day of the site.
	Today func() forum.Day
	// Step is called with the name of each step, before it.
	Step func(name string)
	// Copy copies the next topics after a member of the index to its parts, as they are now, and returns the last
	// member; "" if there are no more.
	Copy func(ctx context.Context, c key.Container, after string) (last string, err error)
}

// Pass runs one pass of the task that divides an index.
func (d *Divider) Pass(ctx context.Context, c key.Container, cursor string) (next string, done bool, err error) {
	phase, member, _ := strings.Cut(cursor, " ")
	switch phase {
	case "":
		next, err = d.begin(ctx, c)
		return next, false, err
	case cursorCopy:
		d.Step("division_copy")
		if _, err := d.Fence(ctx, c, Copying); err != nil { // again, because a fail-over may have lost it
			return "", false, err
		}
		last, err := d.Copy(ctx, c, member)
		if last == "" {
			return cursorRead, false, err
		}
		return cursorCopy + " " + last, false, err
	case cursorRead:
		return cursorEnd, false, d.moveReaders(ctx, c)
	case cursorEnd:
		err = d.end(ctx, c)
		return "", err == nil, err
	}
	return "", false, fmt.Errorf("the cursor %q is not that of a division", cursor)
}

// begin has writes go to the index and its parts. If the index is divided already, or closed, the division goes on with
// its end, which may have been interrupted.
func (d *Divider) begin(ctx context.Context, c key.Container) (next string, err error) {
	d.Step("division_begin")
	stored, err := d.Fence(ctx, c, Copying)
	if err != nil || stored != Copying {
		return cursorEnd, err
	}
	d.Step("division_announce")
	return cursorCopy, d.Announce(ctx, c, Copying)
}

// moveReaders has reads go to the parts, and waits until all processes do that.
func (d *Divider) moveReaders(ctx context.Context, c key.Container) error {
	d.Step("division_read")
	if err := d.Announce(ctx, c, Reading); err != nil {
		return err
	}
	d.Step("division_settle")
	select {
	case <-time.After(d.Settle):
	case <-ctx.Done():
		return ctx.Err()
	}
	return d.Announce(ctx, c, Reading) // again, now that all know: live events move to the parts
}

// end has writes go to the parts only, and deletes the rest of the index. The indexes of days are divided with the
// front, from a day on that has not begun anywhere.
func (d *Divider) end(ctx context.Context, c key.Container) error {
	d.Step("division_end")
	stored, err := d.Fence(ctx, c, Divided)
	if err != nil {
		return err
	}
	if stored == Whole {
		return d.abandon(ctx, c)
	}
	d.Step("division_forget")
	if err := d.Announce(ctx, c, Divided); err != nil {
		return err
	}
	if err := d.Cache.Refresh(ctx); err != nil {
		return err
	}
	if c == key.FrontContainer && d.Cache.View(ctx).Days() == 0 {
		if err := d.set(ctx, DaysField, (d.Today() + 2).String()); err != nil {
			return err
		}
	}
	if err := d.empty(ctx, c); err != nil {
		return err
	}
	d.Log.Info("divided an index", "index", Field(c), "parts", Parts)
	return nil
}

// abandon ends the division of the index of a category that was deleted meanwhile. The index is closed, so what is in
// its parts is of topics that it refused.
func (d *Divider) abandon(ctx context.Context, c key.Container) error {
	for _, part := range PartsOf(c, Parts) {
		if err := d.Client.Redis.Set(ctx, part.Closed(), "deleted", 0).Err(); err != nil {
			return err
		}
		if err := d.empty(ctx, part); err != nil {
			return err
		}
	}
	if err := d.empty(ctx, c); err != nil {
		return err
	}
	return d.set(ctx, Field(c), "")
}

// empty deletes what is in an index or a part that refuses writes.
func (d *Divider) empty(ctx context.Context, c key.Container) error {
	keys := []string{c.Revisions(), c.Removed(), c.Events()}
	for _, order := range key.TopicOrders {
		keys = append(keys, c.Order(order))
	}
	return d.Client.Redis.Unlink(ctx, keys...).Err()
}

// Announce stores what readers of an index need to know, unless they know more, and wakes those who follow its events.
func (d *Divider) Announce(ctx context.Context, c key.Container, phase Phase) error {
	return d.set(ctx, Field(c), State{phase, Parts}.String())
}

func (d *Divider) set(ctx context.Context, field, state string) error {
	return d.Client.Run(ctx, script.DivisionSet{Divisions: key.Divisions, Field: field, State: state}).Err()
}

// Fence stores what writers of an index need to know, unless they know more. It returns what they know: Whole if the
// index is closed.
func (d *Divider) Fence(ctx context.Context, c key.Container, phase Phase) (stored Phase, err error) {
	call := script.IndexDivide{Closed: c.Closed(), Division: c.Division(), State: State{phase, Parts}.String()}
	switch n, err := d.Client.Run(ctx, call).Int(); n {
	case 0:
		return Whole, err
	case 1:
		return phase, err
	}
	return Divided, nil
}
