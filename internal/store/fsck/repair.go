package fsck

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/store"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// fix repairs a finding: either a transaction that fails if the data it depends on change, or an
// idempotent function. The zero fix means that only people can repair the finding.
type fix struct {
	watch []string
	do    func(ctx context.Context, pipe redis.Pipeliner)
	// run is a repair decided by a guard or another script.
	run func(ctx context.Context) error
	// first is tried instead in the first round: the regular way through the guards.
	first func(ctx context.Context) error
}

func (x fix) none() bool { return x.do == nil && x.run == nil && x.first == nil }

// given returns the fix with more keys on which it depends.
func (x fix) given(keys ...string) fix {
	x.watch = slices.Concat(x.watch, keys)
	return x
}

// transaction returns a fix that writes if none of the keys has changed.
func transaction(keys []string, do func(context.Context, redis.Pipeliner)) fix {
	return fix{watch: keys, do: do}
}

// all returns a fix that does what these transactions do, in one.
func all(fixes ...fix) fix {
	var x fix
	for _, y := range fixes {
		x.watch = append(x.watch, y.watch...)
	}
	x.do = func(ctx context.Context, pipe redis.Pipeliner) {
		for _, y := range fixes {
			y.do(ctx, pipe)
		}
	}
	return x
}

// call returns a fix that runs a repair of the store.
func call[T any](repair func(context.Context, T) error, of T) fix {
	return fix{run: func(ctx context.Context) error { return repair(ctx, of) }}
}

// set returns a fix that sets fields of a hash, or of an object. Those whose value is "" it removes.
func set(k string, pairs ...any) fix {
	return transaction([]string{k}, func(ctx context.Context, pipe redis.Pipeliner) {
		for i := 0; i < len(pairs); i += 2 {
			if name := pairs[i].(string); pairs[i+1] == "" {
				record.Remove(ctx, pipe, k, name)
			} else {
				record.Set(ctx, pipe, k, name, pairs[i+1])
			}
		}
	})
}

// unset returns a fix that removes fields of a hash, or of an object.
func unset(k string, names ...string) fix {
	return transaction([]string{k}, func(ctx context.Context, pipe redis.Pipeliner) { record.Remove(ctx, pipe, k, names...) })
}

// command returns a fix that runs a command on a key.
func command(name, k string, args ...any) fix {
	return transaction([]string{k}, func(ctx context.Context, pipe redis.Pipeliner) {
		pipe.Do(ctx, slices.Concat([]any{name, k}, args)...)
	})
}

// put returns a fix that puts a member into a sorted set.
func put(k, member string, score float64) fix {
	return command("zadd", k, record.FormatScore(score), member)
}

// drop returns a fix that removes members from a sorted set.
func drop(k string, members ...string) fix {
	return transaction([]string{k}, func(ctx context.Context, pipe redis.Pipeliner) {
		if len(members) > 0 {
			pipe.ZRem(ctx, k, members)
		}
	})
}

// remove returns a fix that deletes keys of one slot.
func remove(keys ...string) fix {
	return transaction(keys, func(ctx context.Context, pipe redis.Pipeliner) { pipe.Del(ctx, keys...) })
}

// repair tries to repair the findings one after the other. It returns how many it tried; the next
// inspection shows whether that worked.
func (c *checker) repair(ctx context.Context, again bool) (int, error) {
	n := 0
	for _, f := range c.confirmed {
		if f.fix = c.remedy(f); f.fix.none() {
			continue
		}
		n++
		var err error
		switch {
		case f.fix.first != nil && !again:
			err = f.fix.first(ctx)
		case f.fix.run != nil:
			err = f.fix.run(ctx)
		default:
			err = c.transact(ctx, f)
		}
		delete(c.failed, f.plain())
		if err != nil && !store.RefusedByRedis(err) {
			return n, fmt.Errorf("%s: %w", f.Finding, err)
		}
		if err != nil {
			c.failed[f.plain()] = err.Error()
		}
	}
	if n == 0 {
		return 0, nil
	}
	var err error
	c.report.Unswept, err = c.repairer.Flush(ctx)
	return n, err
}

// remedy returns the fix of a finding, or its prune with Options.Prune.
func (c *checker) remedy(f finding) fix {
	if f.fix.none() && c.opts.Prune {
		x, _ := c.prune(f)
		return x
	}
	return f.fix
}

// say queues, in a transaction, that it changes the objects to which it writes, as far as readers are shown these.
func (c *checker) say(ctx context.Context, tx redis.Pipeliner) {
	objects := map[string]bool{}
	for _, cmd := range tx.Cmds() {
		keys := cmd.Args()[1:2]
		if cmd.Name() == "del" {
			keys = cmd.Args()[1:]
		}
		for _, k := range keys {
			if object := shownBy(k.(string)); object != "" {
				objects[object] = true
			}
		}
	}
	for object := range objects {
		c.rdb.Queue(ctx, tx, script.ObjectRepaired{Object: object, Feed: key.Feed(key.SlotPrefix(object))})
	}
}

// shownBy returns the name by which scripts say that an object has changed, given a key with what readers are shown of
// it; "" for another key.
func shownBy(k string) string {
	is, _ := catalogue.ReadKey(k)
	switch is.Name {
	case "topic", "comment", "user", "category", "tab", "tag", "act", "section-act", "site-act":
		return k
	case "topic-text", "comment-text":
		return strings.TrimSuffix(k, ":text")
	case "topic-reports", "comment-reports", "user-reports":
		if strings.HasSuffix(k, ":case") {
			return key.SlotPrefix(k) + record.CaseMark(subjectOf(is))
		}
	}
	return ""
}

// transact repairs under WATCH: it checks the object of the finding again, and writes only if the
// finding is unchanged and no write happened since. Otherwise the next round decides.
func (c *checker) transact(ctx context.Context, f finding) error {
	err := pipeline.Universal(c.rdb.Redis).Watch(ctx, func(tx *redis.Tx) error {
		if err := c.inspectAgain(ctx, map[target]bool{f.on: true}); err != nil {
			return err
		}
		at := slices.IndexFunc(c.found[f.on], func(g finding) bool { return g.same(f.Finding) })
		if at < 0 {
			return nil
		}
		_, err := tx.TxPipelined(ctx, func(pipe redis.Pipeliner) error {
			c.remedy(c.found[f.on][at]).do(ctx, pipe)
			c.say(ctx, pipe)
			return nil
		})
		return err
	}, record.Objects(f.fix.watch...)...)
	if errors.Is(err, redis.TxFailedErr) {
		return nil
	}
	return err
}
