package process

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/store"
	"agora/internal/store/engine"
	"agora/internal/test/wait"
	"agora/internal/worker"
)

// mirror is a consumer that somebody has written who knows the documents only: docs/keys.md names the keys, and
// docs/architecture/writing.md says how changes are followed. It keeps a copy of all objects in its own memory.
type mirror struct {
	t    *testing.T
	name string // as a consumer
	url  string // of Redis
	// later is how much its clock is ahead.
	later time.Duration
	// options are of the connections of its runs, the latest of which is rdb.
	options store.ConnectOptions
	rdb     redis.Cmdable
	// lossy is whether Redis may lose changes that it has received. Earlier ones of the same object may come then;
	// disorder has them.
	lossy bool

	mu   sync.Mutex // guards the rest
	copy mirrorCopy
	told map[string]*mirrorTold // by key of the object
	// calls is how often it was called, changes with how many changes, and again with how many of these not for the first
	// time.
	calls, changes, again int
	disorder              []mirrorDisorder
}

// mirrorDisorder is a change of an object that came after a later one.
type mirrorDisorder struct {
	key  string
	c    engine.Change
	last int64
}

func (d mirrorDisorder) String() string {
	return fmt.Sprintf("change %d of %s, %q, came after change %d", d.c.Number, d.key, d.c.Word, d.last)
}

// mirrorCopy has the contents of keys: fields and values of a hash, and the value of a string under the name "".
type mirrorCopy map[string]map[string]string

// mirrorTold is what the mirror was told of an object.
type mirrorTold struct {
	walked bool
	last   int64 // the highest number
	own    []string
	seen   map[int64]bool
}

func newMirror(t *testing.T, name, url string) *mirror {
	return &mirror{t: t, name: name, url: url, copy: mirrorCopy{}, told: map[string]*mirrorTold{}}
}

// numbersLeap is by how much the numbers of changes rise when Redis may have lost some.
const numbersLeap = 1 << 16

// mirrorFails is one in how many calls the mirror fails.
const mirrorFails = 40

var errMirror = errors.New("the mirror fails now and then")

// run follows changes, as a process of its own would, until stop is called. The copy stays.
func (m *mirror) run() (s *store.Store, stop func()) {
	m.t.Helper()
	ctx, cancel := context.WithCancel(m.t.Context())
	log := slog.New(slog.DiscardHandler)
	conn := m.connect(ctx)
	m.rdb = conn.Redis
	follow := func(e *engine.Engine) {
		e.OnChange(m.name, []engine.ChangeKind{engine.TopicChanges, engine.CommentChanges, engine.UserChanges,
			engine.ActChanges, engine.CaseChanges, engine.CategoryChanges, engine.TabChanges},
			func(ctx context.Context, some []engine.Change) error { return m.follow(ctx, conn.Redis, some) })
	}
	clock := func() time.Time { return time.Now().Add(m.later) }
	var err error
	if !wait.For(10*time.Second, func() bool { // Redis may be away
		s, err = store.Open(ctx, conn, store.Layout{}, store.WithLog(log), store.WithClock(clock),
			store.WithTasksAtOnce(8), follow)
		return err == nil
	}) {
		m.t.Fatalf("open the site: %v", err)
	}
	var working sync.WaitGroup
	working.Go(func() { s.WatchRedis(ctx) })       // ends with ctx
	working.Go(func() { worker.Run(ctx, s, log) }) // ends with ctx
	return s, func() {
		cancel()
		working.Wait()
		s.Close()
		conn.Close()
	}
}

// connect connects to Redis, which may be away for a moment.
func (m *mirror) connect(ctx context.Context) (conn *store.Connection) {
	m.t.Helper()
	var err error
	if !wait.For(10*time.Second, func() bool {
		conn, err = store.Connect(ctx, m.url, m.options)
		return err == nil
	}) {
		m.t.Fatalf("connect to %s: %v", m.url, err)
	}
	return conn
}

// follow reads what was changed, as it is now.
func (m *mirror) follow(ctx context.Context, rdb redis.Cmdable, some []engine.Change) error {
	if rand.IntN(mirrorFails) == 0 {
		return errMirror
	}
	pipe := rdb.Pipeline()
	hashes, texts := make([]*redis.MapStringStringCmd, len(some)), make([]*redis.StringCmd, len(some))
	for i, c := range some {
		hashes[i] = pipe.HGetAll(ctx, mirrorKey(c))
		if mayBeLong(c) {
			texts[i] = pipe.Get(ctx, mirrorKey(c)+":text")
		}
	}
	if _, err := pipe.Exec(ctx); err != nil && !errors.Is(err, redis.Nil) {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if ctx.Err() != nil { // another process may know more
		return ctx.Err()
	}
	m.calls++
	for i, c := range some {
		m.note(mirrorKey(c), c)
		m.copy.set(mirrorKey(c), hashes[i].Val())
		if mayBeLong(c) {
			text := map[string]string{}
			if texts[i].Err() == nil {
				text[""] = texts[i].Val()
			}
			m.copy.set(mirrorKey(c)+":text", text)
		}
	}
	return nil
}

// set sets what a key has. A key without content does not exist.
func (c mirrorCopy) set(key string, content map[string]string) {
	if c[key] = content; len(content) == 0 {
		delete(c, key)
	}
}

// note records a change, which must not come after a later one of its object, unless it has come before.
func (m *mirror) note(key string, c engine.Change) {
	m.changes++
	is := m.told[key]
	if is == nil {
		is = &mirrorTold{seen: map[int64]bool{}}
		m.told[key] = is
	}
	switch {
	case c.Number == 0:
		is.walked = true
		return
	case is.seen[c.Number]:
		m.again++
		return
	case c.Number < is.last && m.lossy:
		m.disorder = append(m.disorder, mirrorDisorder{key, c, is.last})
	case c.Number < is.last:
		m.t.Error(mirrorDisorder{key, c, is.last})
	}
	is.seen[c.Number], is.last = true, c.Number
	if c.Word != "" {
		is.own = append(is.own, c.Word)
	}
}

// mayBeLong reports whether an object may have a text in a key of its own.
func mayBeLong(c engine.Change) bool {
	return c.Kind == engine.TopicChanges || c.Kind == engine.CommentChanges
}

// mirrorKey returns the key of an object: see docs/keys.md.
func mirrorKey(c engine.Change) string {
	in := func(letter string, id int64) string { return fmt.Sprintf("{p%02x}:%s:%d", id%256, letter, id) }
	of, suffix := c.Subject, ""
	if c.Kind == engine.CaseChanges {
		suffix = ":case"
	}
	switch {
	case c.Kind == engine.ActChanges && of.Act.OfSite():
		return fmt.Sprintf("{mod}:m:%d", of.Act)
	case c.Kind == engine.ActChanges && of.Act.OfSection():
		return fmt.Sprintf("{cat}:m:%d", of.Act)
	case c.Kind == engine.ActChanges:
		return in("m", int64(of.Act))
	case of.Category != 0:
		return fmt.Sprintf("{cat}:c:%d", of.Category)
	case of.Tab != 0:
		return fmt.Sprintf("{cat}:t:%d", of.Tab)
	case of.Comment != 0:
		return in("c", int64(of.Comment)) + suffix
	case of.Topic != 0:
		return in("t", int64(of.Topic)) + suffix
	}
	return in("u", int64(of.User)) + suffix
}

// mirrorSlots are the prefixes of the keys of the slots in which something changes.
func mirrorSlots() []string {
	slots := []string{"{cat}:", "{mod}:"}
	for p := range 256 {
		slots = append(slots, fmt.Sprintf("{p%02x}:", p))
	}
	return slots
}

// idle reports whether the mirror is as far as it can be in all slots: it has joined them, walked over all that there
// was, and handled all changes. If not, at is how far it is.
func (m *mirror) idle(ctx context.Context) (idle bool, at string, err error) {
	pipe := m.rdb.Pipeline()
	for _, slot := range mirrorSlots() {
		pipe.HGetAll(ctx, slot+"consumers")
	}
	cmds, err := pipe.Exec(ctx)
	if err != nil {
		return false, "", err
	}
	idle = true
	for _, cmd := range cmds {
		fields, there := cmd.(*redis.MapStringStringCmd).Val(), false
		for name, row := range fields {
			if !strings.HasSuffix(name, ":"+m.name) {
				continue
			}
			var position, seen, seq, walk, aside, retry int64
			var token, lease string
			if _, err := fmt.Sscan(row, &position, &token, &lease, &seen, &walk, &retry, &aside); err != nil {
				return false, "", fmt.Errorf("the consumer %s is %q: %w", name, row, err)
			}
			fmt.Sscan(fields["seq"], &seq)
			there = position >= seq && walk == 0 && aside == 0
			at += fmt.Sprintln(position, walk, aside)
		}
		idle = idle && there
	}
	return idle, at, nil
}

// await returns when the mirror is idle. It may not stay where it is for that long: how long all takes depends on the ids
// that there are, and on what else the machine does.
func (m *mirror) await(s *store.Store, most time.Duration) {
	m.t.Helper()
	var idle bool
	var at string
	var err error
	for moved := true; moved && !idle; {
		before := at
		moved = wait.For(most, func() bool {
			idle, at, err = m.idle(m.t.Context())
			return idle || at != before
		})
	}
	if !idle {
		m.t.Fatalf("the mirror is not done, and has not moved for %v: %+v, %v", most, s.Engine.ConsumerStates(), err)
	}
}

// clone returns a copy of the copy.
func (m *mirror) clone() mirrorCopy {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.copy)
}
