package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"agora/internal/forum"
	"agora/internal/httpserver/limit"
)

// What a field reads, unpacks or computes is held against the limit on memory, however little of it the answer shows.
func TestWhatIsComputedIsHeld(t *testing.T) {
	b := newFullSite(t)
	for _, word := range []string{"a", "b", "c"} {
		b.clock.Advance(2 * forum.MergeEdits)
		text := strings.Repeat(word+"\n", forum.MaxContent/2-1)
		b.wantVerdict("edit", b.mutate(b.ann, "updateTopic", input{"topicId": b.topic, "content": text}, ""), "")
	}
	limits := limit.Defaults()
	limits.Answer = 16 << 10 // what is held may be twice as large
	b.options.Limits = &limits
	b.url = serve(t, b.options)
	for _, tt := range []struct {
		fields string
		held   bool
	}{
		{"title", false},
		{"revisions(first: 9) { nodes { number editor { login } } }", false},
		{"content", true},
		{"contentHtml", true},
		{"excerpt", true},
		{"revisions(first: 9) { nodes { title } }", true},
		{"revisions(first: 9) { nodes { link } }", true},
		{"revisions(first: 1) { nodes { hunks(context: 0) { oldStart } } }", true},
	} {
		a := b.ask("", fmt.Sprintf("{ node(id: %q) { ... on Topic { %s } } }", b.topic, tt.fields), nil)
		if held := a.code() == "ANSWER_TOO_LARGE"; held != tt.held || !held && a.code() != "" {
			t.Errorf("%s: code %q; want it refused: %t", tt.fields, a.code(), tt.held)
		}
	}
}
