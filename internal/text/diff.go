package text

import (
	"iter"
	"strings"

	"znkr.io/diff"

	"agora/internal/forum"
)

const (
	// exactLines is up to how many lines of both texts together Compare looks for the smallest difference. Beyond that
	// it would take too long in the worst case.
	exactLines = 500
	// lineCost is what a line of a text costs, in bytes of the text.
	lineCost = 48
)

// MaxHunkContext is the most unchanged lines that are shown around a change.
const MaxHunkContext = 20

// CompareCost returns what Compare costs; see RenderCost.
func CompareCost(before, after string) int {
	return len(before) + len(after) + lineCost*(2+strings.Count(before, "\n")+strings.Count(after, "\n"))
}

// Changes is what changed between two texts, by lines.
type Changes struct {
	// runs have the changed lines with MaxHunkContext lines around.
	runs []forum.Hunk
}

// Compare returns what changed between two texts.
func Compare(before, after string) *Changes {
	x, y := lines(before), lines(after)
	options := []diff.Option{diff.Context(MaxHunkContext)}
	if len(x)+len(y) > exactLines {
		options = append(options, diff.Fast())
	}
	found := diff.Hunks(x, y, options...)
	c := &Changes{runs: make([]forum.Hunk, len(found))}
	for i, h := range found {
		c.runs[i] = forum.Hunk{OldStart: start(h.PosX, len(x)), NewStart: start(h.PosY, len(y)),
			Lines: make([]forum.HunkLine, len(h.Edits))}
		for n, e := range h.Edits {
			switch e.Op {
			case diff.Match:
				c.runs[i].Lines[n] = forum.HunkLine{Change: forum.LineKept, Text: e.X}
			case diff.Delete:
				c.runs[i].Lines[n] = forum.HunkLine{Change: forum.LineRemoved, Text: e.X}
			case diff.Insert:
				c.runs[i].Lines[n] = forum.HunkLine{Change: forum.LineAdded, Text: e.Y}
			}
		}
	}
	return c
}

// Hunks returns the changes with up to context unchanged lines around each, and at most most lines together. The lines
// are shared with c.
func (c *Changes) Hunks(context, most int) []forum.Hunk {
	hunks := []forum.Hunk{}
	for _, run := range c.runs {
		for h := range narrow(run, context) {
			if most == 0 {
				hunks[len(hunks)-1].IsTruncated = true
				return hunks
			}
			if h.IsTruncated = len(h.Lines) > most; h.IsTruncated {
				h.Lines = h.Lines[:most]
			}
			hunks = append(hunks, h)
			if most -= len(h.Lines); h.IsTruncated {
				return hunks
			}
		}
	}
	return hunks
}

// narrow splits a run into hunks with less context.
func narrow(run forum.Hunk, context int) iter.Seq[forum.Hunk] {
	return func(yield func(forum.Hunk) bool) {
		next, passed := run, 0 // the hunk, and how many lines precede it
		cut := func(from, end int) forum.Hunk {
			for _, l := range run.Lines[passed:from] {
				if l.Change != forum.LineAdded {
					next.OldStart++
				}
				if l.Change != forum.LineRemoved {
					next.NewStart++
				}
			}
			passed, next.Lines = from, run.Lines[from:end:end]
			return next
		}
		from, end := 0, 0
		for i, l := range run.Lines {
			if l.Change == forum.LineKept {
				continue
			}
			if end == 0 || i-context > end {
				if end > 0 && !yield(cut(from, end)) {
					return
				}
				from = max(i-context, 0)
			}
			end = min(i+1+context, len(run.Lines))
		}
		yield(cut(from, end))
	}
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
