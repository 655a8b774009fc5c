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
	"agora/internal/store/check"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// repair tries to repair the findings one after the other. It returns how many it tried; the next
// inspection shows whether that worked.
func (c *checker) repair(ctx context.Context) (int, error) {
	n := 0
	for _, f := range c.confirmed {
		if f.Fix = c.remedy(f); f.Fix.None() {
			continue
		}
		n++
		var err error
		if f.Fix.Run != nil {
			err = f.Fix.Run(ctx)
		} else {
			err = c.transact(ctx, f)
		}
		if errors.Is(err, engine.ErrBusy) {
			err = nil // the home keeps changing; the next round decides
		}
		delete(c.failed, f.Plain())
		if err != nil && !store.RefusedByRedis(err) {
			return n, fmt.Errorf("%s: %w", f.Finding, err)
		}
		if err != nil {
			c.failed[f.Plain()] = err.Error()
		}
	}
	if n == 0 {
		return 0, nil
	}
	var err error
	c.report.Unswept, err = c.s.FlushDespite(ctx)
	return n, err
}

// remedy returns the fix of a finding, or its prune with Options.Prune.
func (c *checker) remedy(f check.Found) check.Fix {
	if f.Fix.None() && c.opts.Prune {
		return f.Prune
	}
	return f.Fix
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
			return key.SlotPrefix(k) + record.CaseMark(check.SubjectOf(is))
		}
	}
	return ""
}

// transact repairs under WATCH: it checks the object of the finding again, and writes only if the
// finding is unchanged and no write happened since. Otherwise the next round decides.
func (c *checker) transact(ctx context.Context, f check.Found) error {
	err := pipeline.Universal(c.rdb.Redis).Watch(ctx, func(tx *redis.Tx) error {
		if err := c.inspectAgain(ctx, map[check.Target]bool{f.On: true}); err != nil {
			return err
		}
		at := slices.IndexFunc(c.Found[f.On], func(g check.Found) bool { return g.Same(f.Finding) })
		if at < 0 {
			return nil
		}
		_, err := tx.TxPipelined(ctx, func(pipe redis.Pipeliner) error {
			c.remedy(c.Found[f.On][at]).Do(ctx, pipe)
			c.say(ctx, pipe)
			return nil
		})
		return err
	}, record.Objects(f.Fix.Watch...)...)
	if errors.Is(err, redis.TxFailedErr) {
		return nil
	}
	return err
}
