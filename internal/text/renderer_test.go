package text

import (
	"context"
	"errors"
	"strings"
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
	show(Source{Content: "a", Mentions: []Mention{{Fold: "bob", Login: "bob"}}})
	show(Source{Content: "a", Mentions: []Mention{{Fold: "bob", Login: "robert"}}})
	show(Source{Content: "a", ID: "topic-1-"}) // it has no ids
	if rendered["a"] != 4 {
		t.Errorf("a was rendered %d times; want again for a different format and different mentions", rendered["a"])
	}
	r.render = func(Source) string { return strings.Repeat("x", r.most/4+1) }
	before := r.bytes
	if show(Source{Content: "huge"}); r.bytes != before {
		t.Errorf("a huge text is cached")
	}
}

// A caller that has gone gets nothing.
func TestRendererEndsWithItsCaller(t *testing.T) {
	r := NewRenderer(1<<20, Images{})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := r.HTML(ctx, Source{Content: "c"}); !errors.Is(err, context.Canceled) {
		t.Errorf("the cancelled caller got %v; want context.Canceled", err)
	}
}
