package objects

import (
	"context"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/test/testseed"
)

// clock is a clock that a test moves.
type clock struct{ t time.Time }

func (c *clock) now() time.Time { return c.t }

// newCache returns a cache that hears of changes and is current.
func newCache(bytes int) (*Cache, *clock) {
	k := &clock{time.Now()}
	c := New(bytes, k.now)
	c.begin()
	c.prove(k.t)
	return c, k
}

var ann = Name{User, 7}

// has reports whether the cache serves an object with that name.
func has(c *Cache, n Name, text string) bool {
	return c.Stats().Current && c.Get(n, c.now()) == text
}

func TestObjectsAreServedAsLongAsTheChannelIsProven(t *testing.T) {
	c, k := newCache(1 << 20)
	c.Put(ann, c.Mark(ann), "Ann", 3)
	if k.t = k.t.Add(proofLife - 1); !has(c, ann, "Ann") || !c.Stats().Current {
		t.Error("an object is not served just before the proof ends")
	}
	if k.t = k.t.Add(1); has(c, ann, "Ann") || c.Stats().Current {
		t.Error("an object is served when the proof has ended")
	}
	c.prove(k.t.Add(-proofLife))
	if has(c, ann, "Ann") {
		t.Error("an object is served after a proof that was sent long ago")
	}
	if c.prove(k.t.Add(-proofLife + 1)); !has(c, ann, "Ann") {
		t.Error("an object is not served after a new proof")
	}
	if k.t = k.t.Add(life); has(c, ann, "Ann") {
		t.Error("an object is served without proof")
	}
	if c.prove(k.t); has(c, ann, "Ann") {
		t.Errorf("an object is served that was read %v ago", life)
	}
}

// said has a cache hear of a change of the object with a key.
func said(c *Cache, k, word string) bool {
	return c.hear(key.ChangesChannel(k), strings.TrimPrefix(k, key.SlotPrefix(k))+" "+word)
}

func TestWhatWasReadBeforeAChangeIsNotKept(t *testing.T) {
	tests := []struct {
		name      string
		meanwhile func(c *Cache)
		kept      bool
	}{
		{"nothing", func(*Cache) {}, true},
		{"a change of it", func(c *Cache) { said(c, "{p07}:u:7", "TEXT") }, false},
		{"a change of another", func(c *Cache) { said(c, "{p08}:u:8", "TEXT") }, true},
		{"a change of a category with its number", func(c *Cache) { said(c, "{cat}:c:7", "TEXT") }, true},
		{"a change that readers are not shown", func(c *Cache) { said(c, "{p07}:u:7", "ACCESS") }, true},
		{"a loss", func(c *Cache) { c.end(); c.begin(); c.prove(c.now()) }, false},
	}
	for _, tt := range tests {
		c, _ := newCache(1 << 20)
		m := c.Mark(ann)
		tt.meanwhile(c)
		c.Put(ann, m, "Ann", 3)
		if got := has(c, ann, "Ann"); got != tt.kept {
			t.Errorf("after %s: kept is %v; want %v", tt.name, got, tt.kept)
		}
	}
}

func TestChangedObjectsAreDropped(t *testing.T) {
	c, _ := newCache(1 << 20)
	names := map[Name]string{{User, 7}: key.User(7), {Topic, 7}: key.Topic(7), {Comment, 7}: key.Comment(7),
		{Category, 7}: key.Category(7), {Tab, 7}: key.Tab(7), {Tag, 7}: key.Tag(7)}
	for n := range names {
		c.Put(n, c.Mark(n), "a name", 6)
	}
	for n, k := range names {
		if !has(c, n, "a name") || !said(c, k, "TEXT") || has(c, n, "a name") {
			t.Errorf("%v was not kept, or is still kept after a change of %s", n, k)
		}
		c.Put(n, c.Mark(n), "a name", 6)
	}
	if !c.hear("{p07}:changes", "u:7 BAN m:7 CREATED u:7 ACCESS t:7 TEXT r:t7 CASE c:7 VOTES") {
		t.Error("a message of many changes was not understood")
	}
	for _, k := range []string{"{p07}:u:x", "{p07}:l:7", "{ix:gx}:tag", "{p07}:7"} {
		if said(c, k, "TEXT") {
			t.Errorf("a change of %s was understood", k)
		}
	}
	if c.hear(c.own, "x") {
		t.Error("a proof without a time was understood")
	}
	c.kept.CleanUp()
	if s := c.Stats(); s.Objects != 3 || s.Changes != len(names)+3 {
		t.Errorf("stats = %+v; want three objects kept, a change of each and three more", s)
	}
}

func TestBytesAreBounded(t *testing.T) {
	const most = 20 * (entryCost + 1)
	c, _ := newCache(most)
	for n := range int64(100) {
		one := Name{User, n}
		c.Put(one, c.Mark(one), "x", 1)
		c.Put(one, c.Mark(one), "y", 1)
	}
	c.kept.CleanUp() // which others do meanwhile
	if s := c.Stats(); s.Objects != 20 || s.Bytes != most {
		t.Errorf("stats = %+v; want 20 objects", s)
	}
	big := Name{User, 200}
	c.Put(big, c.Mark(big), "big", most)
	if c.kept.CleanUp(); has(c, big, "big") {
		t.Error("an object that is too large is kept")
	}
}

// A page of comments is kept as long as its topic, and dropped with it.
func TestPagesAreDroppedWithTheirTopic(t *testing.T) {
	c, k := newCache(1 << 20)
	topic := Name{Topic, 7}
	page := PageOf(7, "comments", forum.Window{Count: 5, After: &forum.Position{Score: 1, Member: "8"}})
	same := PageOf(7, "comments", forum.Window{Count: 5, After: &forum.Position{Score: 1, Member: "8"}})
	read := &forum.Page{Rows: make([]forum.Row, 5)}
	if c.PutPage(page, c.Mark(topic), read); c.Page(same, k.t) != nil {
		t.Error("a page is kept without its topic")
	}
	c.Put(topic, c.Mark(topic), "a topic", 7)
	before := c.Mark(topic)
	if c.PutPage(page, before, read); c.Page(same, k.t) != read ||
		c.Page(PageOf(7, "comments", forum.Window{Count: 5}), k.t) != nil {
		t.Error("a page is not served, or in the place of another")
	}
	c.kept.CleanUp() // which others do meanwhile
	if s := c.Stats(); s.Bytes != entryCost+7+pageCost+5*rowCost+len("comments8") {
		t.Errorf("a topic with a page takes %d bytes", s.Bytes)
	}
	said(c, key.Topic(7), "TEXT")
	c.Put(topic, c.Mark(topic), "a topic", 7)
	if c.PutPage(page, before, read); c.Page(same, k.t) != nil {
		t.Error("a page outlives a change of its topic")
	}
	for n := range 2 * maxPages {
		c.PutPage(PageOf(7, "comments", forum.Window{Count: n + 1}), c.Mark(topic), read)
	}
	c.kept.CleanUp() // which others do meanwhile
	if s := c.Stats(); s.Bytes != entryCost+7+maxPages*(pageCost+5*rowCost+len("comments")) {
		t.Errorf("a topic with too many pages takes %d bytes", s.Bytes)
	}
	if c.Page(PageOf(7, "comments", forum.Window{Count: 2 * maxPages}), k.t) == nil {
		t.Error("the latest page is not kept: others have filled the room")
	}
}

// Await waits for a proof that is young enough, and for no longer than it must.
func TestAwait(t *testing.T) {
	c, k := newCache(1 << 20)
	now := k.t
	c.patience = time.Millisecond
	if !c.Await(t.Context(), time.Time{}) || !c.Await(t.Context(), now) {
		t.Error("what is proven is waited for")
	}
	if c.Await(t.Context(), now.Add(1)) {
		t.Error("what is not proven is served")
	}
	c.patience = time.Minute
	for i, tt := range []struct {
		name string
		then func(time.Time)
		want bool
	}{{"a proof", c.prove, true}, {"a loss", func(time.Time) { c.end() }, false}} {
		moment, got := now.Add(time.Duration(i+1)), make(chan bool)
		go func() { got <- c.Await(t.Context(), moment) }()
		tt.then(moment)
		if is := <-got; is != tt.want {
			t.Errorf("after %s: %v; want %v", tt.name, is, tt.want)
		}
	}
	if c.Await(t.Context(), time.Time{}) {
		t.Error("after a loss, objects may be served")
	}
	if channel, _ := c.Proof(); channel != "" {
		t.Error("after a loss, a proof may be asked for")
	}
}

// model is a Redis with a few objects, whose names are the numbers of their writes, and the messages that are on their
// way from it to a cache.
type model struct {
	*rand.Rand
	*clock
	cache   *Cache
	writes  [3][]time.Time // of each object, when they were acknowledged
	way     []message
	online  bool
	reading []read
}

type message struct {
	of   int // -1 for a proof
	sent time.Time
}

// read is a read on its way.
type read struct {
	of, found int // found is -1 before Redis has executed it
	mark      Mark
}

// step does one thing.
func (w *model) step() {
	w.t = w.t.Add(time.Duration(w.IntN(20)) * time.Millisecond)
	of := w.IntN(len(w.writes))
	switch w.IntN(12) {
	case 0: // a write: the message is sent in the same step
		if w.IntN(4) > 0 {
			return
		}
		w.writes[of] = append(w.writes[of], w.t)
		if w.online {
			w.way = append(w.way, message{of: of})
		}
	case 1, 2, 3: // the connection delivers, in order
		for range min(len(w.way), w.IntN(4)) {
			w.deliver()
		}
	case 4, 5:
		if w.online {
			w.way = append(w.way, message{-1, w.t})
		}
	case 6:
		if w.IntN(10) == 0 {
			w.way, w.online = nil, !w.online
			if w.online {
				w.cache.begin()
			} else {
				w.cache.end()
			}
		}
	case 7:
		w.reading = append(w.reading, read{of, -1, w.cache.Mark(name(of))})
	case 8, 9, 10:
		if len(w.reading) > 0 {
			w.advance(w.IntN(len(w.reading)))
		}
	case 11: // the connection is silent for a while
		if w.IntN(20) == 0 {
			w.t = w.t.Add(time.Duration(w.IntN(3000)) * time.Millisecond)
		}
	}
}

// get returns what is served of an object, nil for nothing.
func (w *model) get(of int) any {
	if !w.cache.Await(context.Background(), time.Time{}) {
		return nil
	}
	return w.cache.Get(name(of), w.t)
}

func name(of int) Name { return Name{User, int64(of)} }

func (w *model) deliver() {
	m := w.way[0]
	w.way = w.way[1:]
	if m.of < 0 {
		w.cache.prove(m.sent)
	} else {
		w.cache.drop(name(m.of))
	}
}

// advance executes a read, or ends it.
func (w *model) advance(i int) {
	r := &w.reading[i]
	if r.found < 0 {
		r.found = len(w.writes[r.of])
		return
	}
	w.cache.Put(name(r.of), r.mark, strconv.Itoa(r.found), 1)
	w.reading = append(w.reading[:i], w.reading[i+1:]...)
}

// check fails if an object that is served lacks a write that was acknowledged more than MaxAge ago. It returns how many
// objects are served.
func (w *model) check(t *testing.T) (served int) {
	t.Helper()
	for of, writes := range w.writes {
		o := w.get(of)
		if o == nil {
			continue
		}
		served++
		has, _ := strconv.Atoi(o.(string))
		if has < len(writes) && w.t.Sub(writes[has]) > MaxAge {
			t.Fatalf("object %d lacks a write of %v ago", of, w.t.Sub(writes[has]))
		}
	}
	return served
}

// Whatever is delayed, lost or reordered between connections, nothing served is older than MaxAge.
func TestNothingServedIsTooOld(t *testing.T) {
	w := &model{Rand: rand.New(rand.NewPCG(testseed.First(), 0)), clock: &clock{time.Now()}}
	w.cache = New(1<<20, w.now)
	served, old := 0, 0
	for range 300_000 {
		w.step()
		served += w.check(t)
		for of, writes := range w.writes { // as they are no older than MaxAge
			if o := w.get(of); o != nil && o != strconv.Itoa(len(writes)) {
				old++
			}
		}
	}
	if served < 10_000 || old < 1000 {
		t.Errorf("%d objects were served, of which %d were not the latest; want more", served, old)
	}
}
