//go:build race

package breadth_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"agora/breadth"
)

func TestWaitOnAnotherGoroutinePanics(t *testing.T) {
	for _, text := range []string{"{ word }", "{ people { id } word }"} { // on the response's goroutine, and on another
		s := family(t)
		var got string
		s.resolvers["Query.word"] = func(ctx context.Context, _ any) (any, error) {
			var other sync.WaitGroup
			other.Go(func() { got = panicOf(func() { _ = breadth.Wait(ctx) }) })
			other.Wait()
			return "word", nil
		}
		s.answers(context.Background(), text)
		if !strings.Contains(got, "goroutine that it has started") {
			t.Errorf("%s: Wait panics with %q", text, got)
		}
	}
}
