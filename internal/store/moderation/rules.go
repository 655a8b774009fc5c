package moderation

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/internal/section"
	"agora/internal/store/script"
	texts "agora/internal/text"
)

// RulesCache is what a process knows of the site's rules. Sweeps read them twice a second.
type RulesCache struct {
	rdb     redis.Cmdable
	copies  *RulesCopies // nil outside a cluster
	reading sync.Mutex   // held by who reads because of their age
	failed  time.Time    // when that last failed
	known   atomic.Pointer[knownRules]
	guests  guests
}

// RulesCopies are the copies of the rules in each partition of a cluster.
type RulesCopies struct {
	Read  func(context.Context) (record.Fields, error) // the newest that can be read
	Write func(context.Context) error                  // all of them, or an error
}

// NewRulesCache returns a cache of the rules in a Redis; nothing is known yet.
func NewRulesCache(rdb redis.Cmdable, copies *RulesCopies) *RulesCache {
	return &RulesCache{rdb: rdb, copies: copies}
}

type knownRules struct {
	rules forum.Rules
	at    time.Time // when their reading began, by this machine's monotonic clock
	// change counts changes of the blocklist, which is list as of the change listed.
	change, listed string
	list           *texts.Blocklist
}

// queue queues reading the rules; the function that it returns stores what was read, unless they were read again since.
func (c *RulesCache) queue(ctx context.Context, pipe redis.HashCmdable) func() {
	at := time.Now()
	cmd := pipe.HGetAll(ctx, key.Rules)
	return func() {
		if cmd.Err() == nil {
			c.learn(cmd.Val(), at)
		}
	}
}

// learn stores what was read, from a time on, unless the rules were read again since.
func (c *RulesCache) learn(rules record.Fields, at time.Time) {
	now := &knownRules{rules: record.ParseRules(rules), at: at, change: rules[record.BlocklistField]}
	for stored := false; !stored; {
		before := c.known.Load()
		if before != nil {
			if before.at.After(at) {
				return
			}
			now.listed, now.list = before.listed, before.list
		}
		stored = c.known.CompareAndSwap(before, now)
	}
	c.guests.follow(&c.known)
}

// sweep queues reading the rules with the marks of a sweep.
func (c *RulesCache) sweep(ctx context.Context, pipe redis.HashCmdable) func(context.Context) error {
	learn := c.queue(ctx, pipe)
	return func(ctx context.Context) error {
		learn()
		return c.readList(ctx)
	}
}

// refresh reads the rules, at the expense of no request.
func (c *RulesCache) refresh(ctx context.Context) error {
	ctx = pipeline.WithUsage(ctx, &pipeline.Usage{})
	pipe := c.rdb.Pipeline()
	at := time.Now()
	learn := c.queue(ctx, pipe)
	if _, err := pipe.Exec(ctx); err != nil {
		return c.readCopy(ctx, at, fmt.Errorf("read the rules: %w", err))
	}
	learn()
	return c.readList(ctx)
}

// readCopy reads a copy of the rules, which cannot be read themselves because of err. The blocklist is with them.
func (c *RulesCache) readCopy(ctx context.Context, at time.Time, err error) error {
	if c.copies == nil {
		return err
	}
	rules, failed := c.copies.Read(ctx)
	if failed != nil {
		return errors.Join(err, failed)
	}
	c.learn(rules, at)
	return nil
}

// take takes the rules from a copy of what key.Rules has. They are read again before they are used, if possible.
func (c *RulesCache) take(rules record.Fields) {
	c.learn(rules, time.Time{})
}

// readList reads the blocklist, if it has changed.
func (c *RulesCache) readList(ctx context.Context) error {
	known := c.known.Load()
	if known == nil || known.change == known.listed {
		return nil
	}
	pipe := c.rdb.Pipeline()
	words, domains := pipe.ZRange(ctx, key.Words, 0, -1), pipe.ZRange(ctx, key.Domains, 0, -1)
	if _, err := pipe.Exec(ctx); err != nil {
		return fmt.Errorf("read the blocklist: %w", err)
	}
	now := *known
	now.listed, now.list = known.change, texts.NewBlocklist(words.Val(), domains.Val())
	c.known.CompareAndSwap(known, &now) // whoever has read the rules since reads the list, too
	return nil
}

// Rules returns the rules of the site, at most RulesEvery old.
func (s *Store) Rules(ctx context.Context) forum.Rules {
	known, _ := s.knownRules(ctx)
	return known.rules
}

// Blocklist returns what nobody but moderators may post, as Rules. It returns UNAVAILABLE if there is a blocklist that
// could not be read since the start.
func (s *Store) Blocklist(ctx context.Context) (*texts.Blocklist, error) {
	known, _ := s.knownRules(ctx)
	if known.list == nil && known.change != known.listed {
		return nil, &forum.Error{Code: forum.CodeUnavailable,
			Message: "What may be posted is unknown at the moment. Nothing was changed. Try again."}
	}
	return known.list, nil
}

// knownRules returns the rules of the site. They are at most RulesEvery old; if they cannot be read, those known are
// returned, which are not fresh. The next attempt is a second later, as all callers wait for it.
func (s *Store) knownRules(ctx context.Context) (known *knownRules, fresh bool) {
	c := s.rules
	if known := c.known.Load(); time.Since(known.at) < forum.RulesEvery {
		return known, true
	}
	c.reading.Lock()
	defer c.reading.Unlock()
	if time.Since(c.known.Load().at) >= forum.RulesEvery && time.Since(c.failed) >= forum.RulesEvery {
		// What all callers share counts for none of them.
		ctx, cancel := context.WithTimeout(pipeline.WithUsage(context.WithoutCancel(ctx), &pipeline.Usage{}), time.Second)
		defer cancel()
		if c.refresh(ctx) != nil {
			c.failed = time.Now()
		} else {
			return c.known.Load(), true
		}
	}
	known = c.known.Load()
	return known, time.Since(known.at) < forum.RulesEvery
}

// RefreshRules reads the rules of the site.
func (s *Store) RefreshRules(ctx context.Context) error { return s.rules.refresh(ctx) }

// TakeRules takes the rules from a copy of what key.Rules has. They are read again before they are used, if possible.
func (s *Store) TakeRules(rules record.Fields) { s.rules.take(rules) }

// UpdateRules changes rules of the site, by their names in forum.RuleRanges; the least value turns one off. This
// process follows the new ones at once, others within RulesEvery. Unless open is true, it returns INVALID at access or
// registration if members only could use the site, and anybody could become one.
func (s *Store) UpdateRules(ctx context.Context, by *forum.Viewer, rules map[string]int, open bool) error {
	return s.updateRules(ctx, rules, open, s.acts.SiteRecorder(by))
}

func (s *Store) updateRules(ctx context.Context, rules map[string]int, open bool, r section.Recorder) error {
	call := script.RulesSet{Creation: r.Creation, Act: r.Act, Revert: r.Revert, Rules: key.Rules, Open: open}
	for name, value := range rules {
		call.Fields = append(call.Fields, script.RulesSetField{Name: name, Value: strconv.Itoa(value),
			Off: strconv.Itoa(forum.RuleRanges[name].Least())})
	}
	s.engine.Step("rules_set")
	done, err := call.Result(s.engine.Client.Run(ctx, call).Result())
	if err != nil {
		return fmt.Errorf("update rules: %w", record.ScriptError(err))
	}
	return errors.Join(s.closeCopies(ctx, rules), s.siteChanged(ctx, done.Recorded, forum.ActUpdateRules, r))
}

// closeCopies closes the site in each partition of a cluster, if the rules close it: servers that cannot read the rules
// themselves follow the copies.
func (s *Store) closeCopies(ctx context.Context, rules map[string]int) error {
	if s.rules.copies == nil || rules["access"] == forum.AccessEverybody.RuleValue() {
		return nil
	}
	if err := s.rules.copies.Write(ctx); err != nil {
		return fmt.Errorf("close the site on all masters: %w", err)
	}
	return nil
}

// siteChanged reads the rules and the blocklist, and lists the act that changed them, "0" for none.
func (s *Store) siteChanged(ctx context.Context, act string, kind forum.ActKind, r section.Recorder) error {
	return errors.Join(s.rules.refresh(ctx), s.acts.ListAct(ctx, act, kind, forum.Subject{Site: true}, r))
}

// UpdateBlocklist adds entries to the list of words or domains that nobody may post, and removes others. It returns
// TOO_LONG at add.
func (s *Store) UpdateBlocklist(ctx context.Context, by *forum.Viewer, kind forum.BlockKind,
	add, remove []string) error {
	return s.updateBlocklist(ctx, kind, add, remove, s.acts.SiteRecorder(by))
}

func (s *Store) updateBlocklist(ctx context.Context, kind forum.BlockKind, add, remove []string,
	r section.Recorder) error {
	call := script.BlocklistSet{Creation: r.Creation, Act: r.Act, Revert: r.Revert,
		List: blocklistKey(kind), Rules: key.Rules, Most: forum.MaxBlocklist, Kind: "words", Add: add, Remove: remove}
	if kind == forum.BlockDomain {
		call.Kind = "domains"
	}
	s.engine.Step("blocklist_set")
	done, err := call.Result(s.engine.Client.Run(ctx, call).Result())
	if err != nil {
		return fmt.Errorf("update the blocklist: %w", record.ScriptError(err))
	}
	return s.siteChanged(ctx, done.Recorded, forum.ActUpdateBlocklist, r)
}

// BlocklistEntries returns the words or domains that nobody may post, in alphabetical order.
func (s *Store) BlocklistEntries(ctx context.Context, kind forum.BlockKind) ([]string, error) {
	b := s.engine.Client.ReadBatch(ctx)
	cmd := b.ZRange(ctx, blocklistKey(kind), 0, -1)
	if err := b.Exec(ctx); err != nil {
		return nil, fmt.Errorf("read the blocklist: %w", err)
	}
	slices.Sort(cmd.Val())
	return cmd.Val(), nil
}

func blocklistKey(kind forum.BlockKind) string {
	if kind == forum.BlockDomain {
		return key.Domains
	}
	return key.Words
}
