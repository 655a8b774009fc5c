// Package near keeps objects that many pages show and that seldom change in the memory of this process. A script that
// changes one names it on a channel; what the process hears named it drops. An object is served only as long as the
// channel is proven to be current, so that nothing served is older than MaxAge.
package near

import (
	"math"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
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
	// entryCost is about how many bytes an object takes besides its strings.
	entryCost = 512
)

// Kind is a type of objects that are kept.
type Kind uint8

// The kinds of objects.
const (
	User Kind = iota + 1
	Category
	Tab
)

// Name names an object.
type Name struct {
	Kind Kind
	ID   int64
}

// slot returns the position of the name's counter.
func (n Name) slot() int {
	return int((uint64(n.ID)*uint64(4) + uint64(n.Kind)) * 0x9e3779b97f4a7c15 >> 52)
}

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
	// Objects is how many are kept, Bytes about how much memory they take.
	Objects, Bytes int
	// Current reports whether objects are served.
	Current bool
}

// Cache keeps objects. It is safe for concurrent use.
type Cache struct {
	most  int // bytes
	now   func() time.Time
	began time.Time

	mu    sync.Mutex
	kept  *simplelru.LRU[Name, entry]
	bytes int
	// changes counts what was heard of the names of each slot: what was read before a change is not kept after it.
	changes [slots]uint32
	// epoch counts how often the channel was subscribed to or lost: what was read in another epoch is not kept.
	epoch uint64
	// heard reports whether the channel is subscribed to.
	heard bool
	// proven is when the last message was sent that has returned: everything named before it was dropped.
	proven time.Time
	stats  Stats
}

// entry is an object, and when it was read.
type entry struct {
	object any // a pointer
	cost   int // about how many bytes it takes
	at     time.Time
}

// New returns an empty cache of about so many bytes. Nothing is kept before Run has subscribed. The clock must be
// monotonic.
func New(bytes int, now func() time.Time) *Cache {
	c := &Cache{most: bytes, now: now, began: now()}
	// It fails only for sizes below 1.
	c.kept, _ = simplelru.NewLRU(math.MaxInt, func(_ Name, e entry) { c.bytes -= e.cost })
	return c
}

// Get returns an object if it is kept and may be served. If it returns nil, the object is to be read from Redis: the
// mark is for Put.
func (c *Cache) Get(n Name) (any, Mark) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	if e, ok := c.kept.Get(n); ok && c.current(now) && now.Sub(e.at) < life {
		c.stats.Hits++
		return e.object, Mark{}
	}
	c.stats.Misses++
	return nil, c.mark(n, now)
}

// Mark returns the mark of an object that is going to be read from Redis.
func (c *Cache) Mark(n Name) Mark {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.mark(n, c.now())
}

func (c *Cache) mark(n Name, now time.Time) Mark { return Mark{c.epoch, c.changes[n.slot()], now} }

// Put keeps an object with strings of so many bytes, unless it was heard to have changed since the mark. The read must
// not have been sent before the mark was made. From now on others use the object too.
func (c *Cache) Put(n Name, m Mark, object any, strings int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.heard || m.epoch != c.epoch || m.changes != c.changes[n.slot()] {
		return
	}
	c.kept.Remove(n)
	c.kept.Add(n, entry{object, entryCost + strings, m.at})
	c.bytes += entryCost + strings
	for c.bytes > c.most {
		c.kept.RemoveOldest()
	}
}

// current reports whether objects may be served: everything that was named more than proofLife ago was dropped.
func (c *Cache) current(now time.Time) bool { return c.heard && now.Sub(c.proven) < proofLife }

// drop drops an object that has changed, and keeps nothing of it that was read before.
func (c *Cache) drop(n Name) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.changes[n.slot()]++
	c.kept.Remove(n)
	c.stats.Changes++
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
		c.stats.Losses++
	}
	c.epoch++
	c.heard, c.proven = false, time.Time{}
	c.kept.Purge()
}

// prove notes that a message has returned that was sent then.
func (c *Cache) prove(sent time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if sent.After(c.proven) {
		c.proven = sent
	}
}

// Stats returns the cache's counters and state.
func (c *Cache) Stats() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.stats
	s.Objects, s.Bytes, s.Current = c.kept.Len(), c.bytes, c.current(c.now())
	return s
}
