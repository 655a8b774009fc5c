package text

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"strings"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"agora/internal/forum"
	"agora/internal/turns"
)

const (
	// DefaultCache is how many bytes of rendered texts are cached.
	DefaultCache = 16 << 20
	// entryCost is about how many bytes a cached text takes in addition to itself.
	entryCost = 256
)

// Mention is a member whom a text names.
type Mention struct {
	Fold  string // the login in the text, folded
	Login string // the present one
}

// Source is a text as written.
type Source struct {
	Content  string
	Format   forum.ContentFormat
	Mentions []Mention
	// ID begins the ids of the text's footnotes, such as "topic-257-", so that no two texts of a page have the same.
	ID string
}

// key identifies a source: its hash.
type key [sha256.Size]byte

func (s Source) key() key {
	h := sha256.New()
	part := func(p string) {
		var n [8]byte
		binary.LittleEndian.PutUint64(n[:], uint64(len(p)))
		h.Write(n[:])
		h.Write([]byte(p))
	}
	part(string(s.Format))
	part(s.Content)
	if strings.Contains(s.Content, "[^") {
		part(s.ID)
	}
	for _, m := range s.Mentions {
		part(m.Fold)
		part(m.Login)
	}
	return key(h.Sum(nil))
}

// Renderer renders texts as HTML does and caches recently shown ones. It is safe for concurrent use.
type Renderer struct {
	render func(Source) string

	mu    sync.Mutex
	kept  *simplelru.LRU[key, string]
	bytes int // of kept
	most  int
}

// NewRenderer returns a renderer with a cache of about the given number of bytes.
func NewRenderer(bytes int, images Images) *Renderer {
	r := &Renderer{
		render: func(s Source) string { return render(s, images) }, most: bytes,
	}
	// The size is positive, so there is no error.
	r.kept, _ = simplelru.NewLRU(max(1, bytes/entryCost), func(_ key, html string) { r.bytes -= len(html) + entryCost })
	return r
}

// HTML renders a text, or returns ctx's error if ctx is done.
func (r *Renderer) HTML(ctx context.Context, s Source) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	k := s.key()
	if html, ok := r.find(k); ok {
		return html, nil
	}
	html := r.render(s)
	r.keep(k, html)
	turns.From(ctx).Offer(ctx)
	return html, nil
}

func (r *Renderer) find(k key) (string, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.kept.Get(k)
}

// keep caches a text, evicting the least recently used. A text of more than a quarter of the cache
// is not cached.
func (r *Renderer) keep(k key, html string) {
	cost := len(html) + entryCost
	if cost > r.most/4 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.kept.Contains(k) {
		return
	}
	for r.bytes+cost > r.most {
		if _, _, ok := r.kept.RemoveOldest(); !ok {
			break
		}
	}
	r.kept.Add(k, html)
	r.bytes += cost
}
