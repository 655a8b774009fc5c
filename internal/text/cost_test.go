package text

import (
	"runtime"
	"strings"
	"testing"

	"agora/internal/forum"
)

// What rendering and comparing cost covers what they allocate, 3.3 bytes for each unit, and what is kept of them, also
// for the texts that allocate most.
func TestCostsCoverHostileTexts(t *testing.T) {
	const perUnit, anyway = 3.3, 64 << 10
	check := func(name string, cost int, work func()) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		work()
		runtime.ReadMemStats(&after)
		if bytes := int(after.TotalAlloc - before.TotalAlloc); float64(bytes) > perUnit*float64(cost)+anyway {
			t.Errorf("%s: %d bytes allocated, cost %d; want at most %v for each unit", name, bytes, cost, perUnit)
		}
	}
	for name, text := range hostileTexts {
		for _, format := range []forum.ContentFormat{forum.Markdown, forum.HTML} {
			cost, html := RenderCost(Source{Content: text, Format: format}), ""
			check(name+" in "+string(format), cost, func() { html = HTML(text, format, known) })
			if len(html) > cost/RenderedByte {
				t.Errorf("%s in %s: %d bytes of HTML, cost %d; want %d for each byte", name, format, len(html), cost, RenderedByte)
			}
		}
	}
	for name, pair := range map[string][2]string{
		"lines":       {fill("a\n"), fill("b\n")},
		"empty lines": {fill("\n"), fill("a\n")},
		"some lines":  {strings.Repeat("a\nb\n", 125), strings.Repeat("b\na\n", 125)},
		"one line":    {fill("a"), fill("b")},
	} {
		check(name, CompareCost(pair[0], pair[1]), func() { Compare(pair[0], pair[1]).Hunks(0, 1000) })
	}
}
