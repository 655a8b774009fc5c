package listing

import (
	"context"
	"time"

	"agora/internal/forum"
	"agora/internal/store/internal/objects"
	"agora/internal/store/internal/record"
)

// ObjectStats are the counters and the state of what is kept in memory.
type ObjectStats = objects.Stats

// ObjectStats returns them; ok is false if nothing is kept.
func (s *Store) ObjectStats() (stats ObjectStats, ok bool) {
	if s.engine.Objects == nil {
		return ObjectStats{}, false
	}
	return s.engine.Objects.Stats(), true
}

// Fence has Redis tell this process, after all changes that were acknowledged before the call, that they were; see
// WithMemory.
func (r Read) Fence() {
	if r.read.Engine.Objects == nil {
		return
	}
	if channel, message := r.read.Engine.Objects.Proof(); channel != "" {
		r.read.Batch.Publish(r.read.Ctx, channel, message)
	}
}

type memoryKey struct{}

// WithMemory returns a context in which responses take objects from memory. It is for queries. No object is older than
// a second. If since is not zero, none lacks a change that was acknowledged before: since is when a request arrived
// whose Read had a Fence. Then it waits, for a short time, and returns ctx if that was not enough.
func (s *Store) WithMemory(ctx context.Context, since time.Time) context.Context {
	if s.engine.Objects == nil || !s.engine.Objects.Await(ctx, since) {
		return ctx
	}
	return context.WithValue(ctx, memoryKey{}, &Memory{s.engine.Objects, time.Now()})
}

// Memory has objects that responses show without reading them. They are shared: nobody changes them. Those that not
// everybody may know of are not in it, such as hidden topics: whoever asks for one finds it as cheap as one that does
// not exist.
type Memory struct {
	cache *objects.Cache
	now   time.Time
}

// MemoryFrom returns the memory of a context; nil if it has none.
func MemoryFrom(ctx context.Context) *Memory {
	m, _ := ctx.Value(memoryKey{}).(*Memory)
	return m
}

// objects returns what keeps the objects that are read, or nil.
func (r Read) objects() *objects.Cache {
	if m := MemoryFrom(r.read.Ctx); m != nil {
		return m.cache
	}
	return nil
}

// Topic returns a topic; nil if it is not in memory.
func (m *Memory) Topic(id forum.TopicID) *forum.Topic {
	return record.TopicReader.Kept(m.cache, id, m.now)
}

// Comment is Topic for a comment. Its topic may be hidden.
func (m *Memory) Comment(id forum.CommentID) *forum.Comment {
	return record.CommentReader.Kept(m.cache, id, m.now)
}

// User is Topic for a user.
func (m *Memory) User(id forum.UserID) *forum.User { return record.UserReader.Kept(m.cache, id, m.now) }

// Category is Topic for a category.
func (m *Memory) Category(id forum.CategoryID) *forum.Category {
	return record.CategoryReader.Kept(m.cache, id, m.now)
}

// Tab is Topic for a tab.
func (m *Memory) Tab(id forum.TabID) *forum.Tab { return record.TabReader.Kept(m.cache, id, m.now) }

// Tag is Topic for a tag.
func (m *Memory) Tag(id forum.TagID) *forum.Tag { return record.TagReader.Kept(m.cache, id, m.now) }

// Page returns a page of the comments of a topic, unless they are in an order by votes; nil if it is not in memory.
func (m *Memory) Page(l *List, w *forum.Window) *forum.Page {
	if m == nil || l.of.Topic == 0 || l.Ranked() {
		return nil
	}
	return m.cache.Page(objects.PageOf(l.of.Topic, l.Name, *w), m.now)
}

// kept returns the function that reads a page of a list, and that keeps the page if Page is to return it.
func (r Read) kept(l List, w forum.Window, read func() (forum.Page, error)) func() (forum.Page, error) {
	c := r.objects()
	if c == nil || l.of.Topic == 0 || l.Ranked() {
		return read
	}
	name := objects.PageOf(l.of.Topic, l.Name, w)
	mark := c.Mark(objects.Name{Kind: objects.Topic, ID: int64(l.of.Topic)})
	return func() (forum.Page, error) {
		p, err := read()
		if err == nil {
			c.PutPage(name, mark, &p)
		}
		return p, err
	}
}
