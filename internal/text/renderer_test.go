package text

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"agora/internal/forum"
	"agora/internal/test/must"
)

func TestRendererCachesTexts(t *testing.T) {
	r := NewRenderer(8*(1000+entryCost), Images{})
	rendered := map[string]int{}
	r.render = func(s Source) string {
		rendered[s.Content]++
		return strings.Repeat("x", 1000)
	}
	show := func(s Source) {
		must.Do(r.HTML(context.Background(), s))(t)
	}
	for _, content := range []string{"a", "a", "b", "c", "d", "e", "f", "g", "h", "a", "i", "a", "b"} {
		show(Source{Content: content})
	}
	if rendered["a"] != 1 || rendered["b"] != 2 || rendered["c"] != 1 {
		t.Errorf("rendered %v; want a once, b twice, because it was the oldest of nine", rendered)
	}
	if r.bytes != 8*(1000+entryCost) || r.kept.Len() != 8 {
		t.Errorf("%d bytes of %d texts are cached; want 8", r.bytes, r.kept.Len())
	}
	show(Source{Content: "a", Format: forum.HTML})
	show(Source{Content: "a", Mentions: forum.Mentions{{Fold: "bob"}}})
	if rendered["a"] != 3 {
		t.Errorf("a was rendered %d times; want again for a different format and different mentions", rendered["a"])
	}
	r.render = func(Source) string { return strings.Repeat("x", r.most/4+1) }
	before := r.bytes
	if show(Source{Content: "huge"}); r.bytes != before {
		t.Errorf("a huge text is cached")
	}
}

// A cancelled caller does not wait. At most as many texts as there are turns are rendered
// concurrently, each once.
func TestRendererLimitsConcurrency(t *testing.T) {
	r := NewRenderer(1<<20, Images{})
	r.turns = make(chan struct{}, 2)
	var rendered, now, most atomic.Int64
	going, goOn := make(chan struct{}, 100), make(chan struct{})
	r.render = func(s Source) string {
		rendered.Add(1)
		most.Store(max(most.Load(), now.Add(1)))
		going <- struct{}{}
		<-goOn
		now.Add(-1)
		return s.Content
	}
	var all sync.WaitGroup
	ask := func(content string) {
		all.Go(func() {
			if html, err := r.HTML(context.Background(), Source{Content: content}); html != content || err != nil {
				t.Errorf("HTML = %q, %v; want %q", html, err, content)
			}
		})
	}
	ask("a")
	ask("b")
	<-going
	<-going
	ctx, cancel := context.WithCancel(context.Background())
	left := make(chan error)
	go func() {
		_, err := r.HTML(ctx, Source{Content: "c"})
		left <- err
	}()
	cancel()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("the cancelled caller got %v; want context.Canceled", err)
	}
	for range 20 {
		ask("a")
		ask("b")
	}
	close(goOn)
	all.Wait()
	if rendered.Load() != 2 || most.Load() != 2 {
		t.Errorf("%d texts were rendered, %d concurrently; want 2 and 2", rendered.Load(), most.Load())
	}
}
