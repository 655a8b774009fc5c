package text

import "agora/internal/forum"

// Costs are in bytes of a text that is read, or of one that is written (see breadth.StringSize). For each of them the
// server allocates at most 3.3 bytes.

// renderCosts are what each byte of a text costs to render. They are measured: rendering hostileTexts allocates at most
// 3.3 bytes for each unit (TestCostsCoverHostileTexts).
var renderCosts = map[forum.ContentFormat]*[256]int{
	forum.Markdown: costs(6, map[string]int{"\n": 180, "*_[]()<>!`~|&#:@\\": 130, "+-": 88, "'\"": 30, "\x00": 14}),
	forum.HTML:     costs(7, map[string]int{"<": 350, "&": 48, ">@'\"": 30, "\x00": 14}),
}

// costs returns the costs of all bytes, of which some cost more than usual.
func costs(usual int, more map[string]int) *[256]int {
	var all [256]int
	for c := range all {
		all[c] = usual
	}
	for set, cost := range more {
		for i := range len(set) {
			all[set[i]] = cost
		}
	}
	return &all
}

// RenderedByte is the least that a byte of a rendered text costs: so a text is rendered to at most RenderCost /
// RenderedByte bytes.
const RenderedByte = 4

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
