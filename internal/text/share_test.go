package text

import (
	"strings"
	"testing"

	"agora/internal/forum"
)

// Corrections keep most of a text; another text, a longer one around it, and its words in another order do not.
func TestShare(t *testing.T) {
	long := "The teapot that I bought in Uji last spring has a crack, and tea drips on the table. Can it be mended?"
	for _, tt := range []struct {
		name, before, after string
		keeps               bool
	}{
		{"the same", long, long, true},
		{"case and spaces", "Tea is  good", "tea Is good", true},
		{"a typing error", "Thank yuo", "Thank you", true},
		{"a sentence more", long, long + " I would hate to throw it away.", true},
		{"paragraphs moved", long + "\n\n" + long[:40], long[:40] + "\n\n" + long, true},
		{"another text", long, "Buy cheap watches at the best prices in the world, only today and only here, my friends!", false},
		{"another short text", "Nice", "Buy now", false},
		{"a short text within a long one", "Nice", long + " Nice", false},
		{"most removed", long, "The teapot", false},
		{"nothing left", long, "", false},
		{"words in another order", "dear old friends never sell cheap tea here today",
			"today sell here cheap never tea old dear friends", false},
		{"Chinese", "今天天气很好，我们去公园喝茶。", "今天天气真好，我们去公园喝茶。", true},
		{"other Chinese", "今天天气很好，我们去公园喝茶。", "便宜手表，只限今天，快来购买吧朋友们。", false},
	} {
		if got := Share(tt.before, tt.after); (got >= 0.5) != tt.keeps {
			t.Errorf("%s: Share = %.2f; want half or more: %t", tt.name, got, tt.keeps)
		}
	}
}

func BenchmarkShare(b *testing.B) {
	before, after := strings.Repeat("four words of text ", forum.MaxContent/19), strings.Repeat("text of four words ", forum.MaxContent/19)
	for b.Loop() {
		Share(before, after)
	}
}
