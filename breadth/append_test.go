package breadth

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/99designs/gqlgen/graphql"
)

// TestAppendString compares texts of all bytes, at all places of a word, with what gqlgen writes.
func TestAppendString(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	const bytesOf = "\x00\x01\x1f !\"#[\\]\n\r\tab\x7f\x80\xff\u00e9\u2028"
	for range 20_000 {
		text := make([]byte, r.IntN(40))
		for i := range text {
			if text[i] = 'x'; r.IntN(8) == 0 {
				text[i] = bytesOf[r.IntN(len(bytesOf))]
			}
		}
		var want bytes.Buffer
		graphql.MarshalString(string(text)).MarshalGQL(&want)
		if got := AppendString(nil, string(text)); string(got) != want.String() {
			t.Fatalf("%q is written as %s, want %s", text, got, &want)
		}
		if got := StringSize(string(text)); got != want.Len()-2 {
			t.Fatalf("%q has the size %d, want %d", text, got, want.Len()-2)
		}
	}
}
