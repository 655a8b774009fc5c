// Package objects keeps objects that readers are shown in the memory of this process, for all responses. A script that
// changes one names it on a channel; what the process hears named it drops. An object is served only as long as the
// channel is proven to be current, so that nothing served is older than MaxAge, or than the moment given to Await.
package objects

import (
	"context"
	"crypto/rand"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/maypok86/otter/v2"
	"github.com/maypok86/otter/v2/stats"

	"agora/internal/forum"
	"agora/internal/turns"
)

const (
	// MaxAge is the age that nothing served exceeds: a change is seen everywhere at the latest when it was acknowledged
	// MaxAge ago.
	MaxAge = time.Second
	// proofLife is how long a proof counts, from when its message was sent. It is less than MaxAge, so that the time in
	// which a lookup is made does not matter.
	proofLife = 900 * time.Millisecond
	// life is how long an object is kept after it was read. No rule needs it: it bounds for how long a change is not seen
	// that no script makes, such as one by hand or FLUSHALL.
	life = time.Minute
	// slots is how many counters of changes there are; objects share them.
	slots = 4096
	// entryCost is about how many bytes an object takes besides its strings, pageCost a page and rowCost each of its rows.
	entryCost, pageCost, rowCost = 512, 400, 72
	// maxPages is how many pages of one topic are kept.
	maxPages = 16
)

// Kind is a type of objects that are kept.
type Kind uint8

// The kinds of objects.
const (
	User Kind = iota + 1
	Topic
	Comment
	Category
	Tab
	Tag
)

// Name names an object.
type Name struct {
	Kind Kind
	ID   int64
}

// number is the name as one number, which is faster to look up.
func (n Name) number() uint64 { return uint64(n.ID)<<3 | uint64(n.Kind) }

// slot returns the position of the name's counter.
func (n Name) slot() int { return int(n.number() * 0x9e3779b97f4a7c15 >> 52) }

// Page names a page of the comments of a topic.
type Page struct {
	Topic         forum.TopicID
	List          string
	Window        forum.Window // without its positions
	After, Before forum.Position
}

// PageOf returns the name of a page.
func PageOf(topic forum.TopicID, list string, w forum.Window) Page {
	p := Page{Topic: topic, List: list, Window: w}
	if w.After != nil {
		p.After, p.Window.After = *w.After, nil
	}
	if w.Before != nil {
		p.Before, p.Window.Before = *w.Before, nil
	}
	return p
}

func (p Page) topic() Name { return Name{Topic, int64(p.Topic)} }

// Mark is the state of the cache before an object is read from Redis.
type Mark struct {
	epoch   uint64
	changes uint32
	at      time.Time
}

// Stats are the cache's counters since the start, and its state.
type Stats struct {
	// Hits were served from memory, Misses were read from Redis although they may be kept.
	Hits, Misses int
	// Changes are the objects that were heard to have changed, Losses how often all were dropped.
	Changes, Losses int
	// Objects is how many are kept, Bytes about how much memory they take, with pages.
	Objects, Bytes int
	// Current reports whether objects are served.
	Current bool
}

// Cache keeps objects. It is safe for concurrent use.
type Cache struct {
	now   func() time.Time
	began time.Time
	own   string // the channel of this cache's proofs
	// patience is how long Await waits for a proof, which is on its way when it is called.
	patience time.Duration
	// kept is read without mu, and written with it.
	kept entries

	mu sync.Mutex
	// changes counts what was heard of the names of each slot: what was read before a change is not kept after it.
	changes [slots]uint32
	// epoch counts how often the channel was subscribed to or lost: what was read in another epoch is not kept.
	epoch uint64
	// heard reports whether the channel is subscribed to.
	heard bool
	// proven is when the last message was sent that has returned: everything named before it was dropped.
	proven time.Time
	// proof is closed when proven changes, or nothing is heard any more; nil if nobody waits for it.
	proof  chan struct{}
	counts Stats
}

// entries is an otter.Cache, of which each package that uses a Cache would compile all methods.
type entries interface {
	GetIfPresent(n uint64) (*entry, bool)
	GetEntryQuietly(n uint64) (otter.Entry[uint64, *entry], bool)
	Set(n uint64, e *entry) (*entry, bool)
	Invalidate(n uint64) (*entry, bool)
	InvalidateAll()
	CleanUp()
	EstimatedSize() int
	WeightedSize() uint64
	Stats() stats.Stats
}

// entry is an object, and when it was read. Nobody changes an entry.
type entry struct {
	object any    // a pointer
	pages  []page // of the comments of a topic
	cost   uint32 // about how many bytes all take
	at     time.Time
}

type page struct {
	name Page
	read *forum.Page
}

// cost returns about how many bytes a page takes. Cursors, which clients may make up, are in its name.
func (p page) cost() uint32 {
	return uint32(pageCost + rowCost*len(p.read.Rows) + len(p.name.List) + len(p.name.After.Member) +
		len(p.name.Before.Member))
}

// page returns a page of comments, nil if it is not kept.
func (e *entry) page(name Page) *forum.Page {
	for _, p := range e.pages {
		if p.name == name {
			return p.read
		}
	}
	return nil
}

// New returns an empty cache of about so many bytes. Nothing is kept before Run has subscribed. The clock must be
// monotonic.
func New(bytes int, now func() time.Time) *Cache {
	return &Cache{now: now, began: now(), own: "proof:" + rand.Text(), patience: 20 * time.Millisecond,
		kept: otter.Must(&otter.Options[uint64, *entry]{
			MaximumWeight: uint64(bytes), Weigher: func(_ uint64, e *entry) uint32 { return e.cost },
			StatsRecorder: stats.NewCounter(),
		})}
}

// Get returns an object if it is kept and was read less than a minute before now; otherwise nil. It is for those for
// whom Await returned true: what was heard since only makes the objects younger.
func (c *Cache) Get(n Name, now time.Time) any {
	if e, ok := c.kept.GetIfPresent(n.number()); ok && now.Sub(e.at) < life {
		return e.object
	}
	return nil
}

// Page is Get for a page of comments, which is kept with its topic.
func (c *Cache) Page(p Page, now time.Time) *forum.Page {
	if e, ok := c.kept.GetEntryQuietly(p.topic().number()); ok && now.Sub(e.Value.at) < life {
		return e.Value.page(p)
	}
	return nil
}

// Mark returns the mark of an object that is going to be read from Redis.
func (c *Cache) Mark(n Name) Mark {
	c.mu.Lock()
	defer c.mu.Unlock()
	return Mark{c.epoch, c.changes[n.slot()], c.now()}
}

// Put keeps an object with strings of so many bytes, unless it was heard to have changed since the mark. The read must
// not have been sent before the mark was made. From now on others use the object too.
func (c *Cache) Put(n Name, m Mark, object any, strings int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.unchanged(n, m) {
		return
	}
	c.kept.Set(n.number(), &entry{object: object, cost: uint32(entryCost + strings), at: m.at})
}

// PutPage keeps a page of comments, unless their topic was heard to have changed since the mark of the topic, or is not
// kept.
func (c *Cache) PutPage(p Page, m Mark, read *forum.Page) {
	c.mu.Lock()
	defer c.mu.Unlock()
	was, ok := c.kept.GetEntryQuietly(p.topic().number())
	if !ok || !c.unchanged(p.topic(), m) || was.Value.page(p) != nil {
		return
	}
	e := *was.Value
	if len(e.pages) == maxPages { // the oldest one goes
		e.cost -= e.pages[0].cost()
		e.pages = e.pages[1:]
	}
	kept := page{p, read}
	e.pages = append(slices.Clone(e.pages), kept)
	e.cost += kept.cost()
	c.kept.Set(p.topic().number(), &e)
}

// unchanged reports whether what was read after the mark may be kept.
func (c *Cache) unchanged(n Name, m Mark) bool {
	return c.heard && m.epoch == c.epoch && m.changes == c.changes[n.slot()]
}

// current reports whether objects may be served: everything that was named more than proofLife ago was dropped.
func (c *Cache) current(now time.Time) bool { return c.heard && now.Sub(c.proven) < proofLife }

// drop drops an object that has changed, and keeps nothing of it that was read before.
func (c *Cache) drop(n Name) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.changes[n.slot()]++
	c.kept.Invalidate(n.number())
	c.counts.Changes++
}

// begin notes that the channel is subscribed to.
func (c *Cache) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.epoch++
	c.heard = true
}

// end drops everything: the channel was lost.
func (c *Cache) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.heard {
		c.counts.Losses++
	}
	c.epoch++
	c.heard, c.proven = false, time.Time{}
	c.kept.InvalidateAll()
	c.wake()
}

// prove notes that a message has returned that was sent then.
func (c *Cache) prove(sent time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if sent.After(c.proven) {
		c.proven = sent
		c.wake()
	}
}

// wake lets all calls of Await look again.
func (c *Cache) wake() {
	if c.proof != nil {
		close(c.proof)
		c.proof = nil
	}
}

// Proof returns a message, and the channel on which it is to be published: when it has arrived, all changes have been
// heard that were made before this call. It returns "" if nothing is heard.
func (c *Cache) Proof() (channel, message string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.heard {
		return "", ""
	}
	return c.own, strconv.FormatInt(int64(c.now().Sub(c.began)), 10)
}

// Await reports whether objects may be served, and all changes have been heard that were made before a moment. For a
// short time it waits for that.
func (c *Cache) Await(ctx context.Context, moment time.Time) bool {
	var late *time.Timer
	for {
		c.mu.Lock()
		if !c.current(c.now()) || !c.proven.Before(moment) {
			defer c.mu.Unlock()
			return c.current(c.now())
		}
		if c.proof == nil {
			c.proof = make(chan struct{})
		}
		proof := c.proof
		c.mu.Unlock()
		if late == nil {
			late = time.NewTimer(c.patience)
			defer late.Stop()
		}
		arrived := false
		turns.From(ctx).Aside(ctx, func() {
			select {
			case <-proof:
				arrived = true
			case <-late.C:
			case <-ctx.Done():
			}
		})
		if !arrived {
			return false
		}
	}
}

// Stats returns the cache's counters and state.
func (c *Cache) Stats() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	s, lookups := c.counts, c.kept.Stats()
	s.Hits, s.Misses = int(lookups.Hits), int(lookups.Misses)
	s.Objects, s.Bytes, s.Current = c.kept.EstimatedSize(), int(c.kept.WeightedSize()), c.current(c.now())
	return s
}
