package text

import "agora/internal/forum"

// Costs are in bytes of a text that is read or written, each of which makes the server allocate at most four bytes.

// renderCosts are what each byte of a text costs to render. They are measured: rendering hostileTexts allocates at most
// four bytes for each unit (TestCostsCoverHostileTexts).
var renderCosts = map[forum.ContentFormat]*[256]int{
	forum.Markdown: costs(map[string]int{"\n": 150, "*_[]()<>!`~|&#:@\\": 110, "+-": 66, "'\"": 24, "\x00": 12}),
	forum.HTML:     costs(map[string]int{"<": 300, "&": 40, ">@'\"": 24, "\x00": 12}),
}

// costs returns the costs of all bytes, of which some cost more than others.
func costs(more map[string]int) *[256]int {
	var all [256]int
	for c := range all {
		all[c] = 6
	}
	for set, cost := range more {
		for i := range len(set) {
			all[set[i]] = cost
		}
	}
	return &all
}

// RenderCost returns what it costs to render a text as HTML does.
func RenderCost(s Source) int {
	of := renderCosts[forum.Markdown]
	if s.Format == forum.HTML {
		of = renderCosts[forum.HTML]
	}
	cost := 0
	for i := range len(s.Content) {
		cost += of[s.Content[i]]
	}
	return cost
}

// WriteCost returns what it costs to write a text in an answer: its size in JSON.
func WriteCost(s string) int {
	cost := len(s)
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\' || c == '\n' || c == '\r' || c == '\t':
			cost++
		case c < 0x20:
			cost += len(`\u0000`) - 1
		}
	}
	return cost
}
