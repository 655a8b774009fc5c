package division

import (
	"context"
	"crypto/rand"
	"slices"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/script"
)

// closeTries is how often Close tries to be the only one that closes the parts of an index.
const closeTries = 5

// Close closes an index if it is empty, and reports whether it is closed. A divided index is closed after all its
// parts. Attempts may overlap, or die: each marks the parts that it closes, or finds closed, with its name. Only one
// that then finds its name on all of them closes the index. One that then finds a topic opens what has its name; so it
// opens nothing that another one needs, and all that a dead one has left. It returns CONFLICT.
func (d *Divider) Close(ctx context.Context, c key.Container) (closed bool, err error) {
	d.Step("index_close")
	attempt := rand.Text()
	n, err := d.Client.Run(ctx, closing(c, attempt)).Int64()
	if err != nil || n <= 1 {
		return n == 1, err
	}
	parts := PartsOf(c, int(n))
	marks, full, err := d.look(ctx, parts)
	if err != nil || full && len(marks) == 0 { // do not refuse topics in vain
		return false, err
	}
	for range closeTries {
		d.Step("index_close_parts")
		err := d.runAll(ctx, parts, func(part key.Container) pipeline.Caller { return closing(part, attempt) })
		if err != nil {
			return false, err
		}
		d.Step("index_close_look")
		if marks, full, err = d.look(ctx, parts); err != nil {
			return false, err
		}
		if full {
			d.Step("index_open")
			return false, d.runAll(ctx, parts, func(part key.Container) pipeline.Caller {
				return script.IndexOpen{Closed: part.Closed(), Attempt: attempt}
			})
		}
		if len(marks) == len(parts) && !slices.ContainsFunc(marks, func(by string) bool { return by != attempt }) {
			d.Step("index_close_whole")
			last := closing(c, attempt)
			last.PartsClosed = true
			return true, d.Client.Run(ctx, last).Err()
		}
	}
	return false, &forum.Error{Code: forum.CodeConflict, Message: "A conflicting change is in progress. Try again."}
}

func closing(c key.Container, attempt string) script.IndexClose {
	return script.IndexClose{Closed: c.Closed(), Order: c.Order(key.OrderCreated), Division: c.Division(),
		Attempt: attempt}
}

// look returns the marks of the closed ones of the parts, and whether any part has a topic.
func (d *Divider) look(ctx context.Context, parts []key.Container) (marks []string, full bool, err error) {
	pipe := d.Client.Redis.Pipeline()
	found, sizes := make([]*redis.SliceCmd, len(parts)), make([]*redis.IntCmd, len(parts))
	for i, part := range parts {
		found[i], sizes[i] = pipe.MGet(ctx, part.Closed()), pipe.ZCard(ctx, part.Order(key.OrderCreated))
	}
	_, err = pipe.Exec(ctx)
	for i := range parts {
		full = full || sizes[i].Val() > 0
		for _, mark := range found[i].Val() {
			if text, ok := mark.(string); ok {
				marks = append(marks, text)
			}
		}
	}
	return marks, full, err
}

// runAll runs a script for each part, in one round trip.
func (d *Divider) runAll(ctx context.Context, parts []key.Container,
	call func(part key.Container) pipeline.Caller) error {
	b := d.Client.Batch()
	for _, part := range parts {
		b.Run(ctx, call(part))
	}
	return b.Exec(ctx)
}
