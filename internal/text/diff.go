package text

import (
	"strings"

	"znkr.io/diff"

	"agora/internal/forum"
)

// exactLines is up to how many lines of both texts together Diff looks for the smallest difference. Beyond that it
// would take seconds in the worst case.
const exactLines = 4_000

// Diff returns what changed between two texts, by lines, with up to context unchanged lines around each change.
func Diff(before, after string, context int) []forum.Hunk {
	x, y := lines(before), lines(after)
	options := []diff.Option{diff.Context(context)}
	if len(x)+len(y) > exactLines {
		options = append(options, diff.Fast())
	}
	found := diff.Hunks(x, y, options...)
	hunks := make([]forum.Hunk, len(found))
	for i, h := range found {
		hunks[i] = forum.Hunk{OldStart: start(h.PosX, len(x)), NewStart: start(h.PosY, len(y)),
			Lines: make([]forum.HunkLine, len(h.Edits))}
		for n, e := range h.Edits {
			switch e.Op {
			case diff.Match:
				hunks[i].Lines[n] = forum.HunkLine{Change: forum.LineKept, Text: e.X}
			case diff.Delete:
				hunks[i].Lines[n] = forum.HunkLine{Change: forum.LineRemoved, Text: e.X}
			case diff.Insert:
				hunks[i].Lines[n] = forum.HunkLine{Change: forum.LineAdded, Text: e.Y}
			}
		}
	}
	return hunks
}

// lines returns the lines of a text, none of the empty text.
func lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// start returns the number of a line, 0 in a text without lines.
func start(position, of int) int {
	if of == 0 {
		return 0
	}
	return position + 1
}
