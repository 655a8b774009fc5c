//go:build unix

package text

import (
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"agora/internal/test/testlevel"

	"agora/internal/forum"
)

// spent returns the CPU time that the process has used.
func spent() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// cpu returns the least CPU time of several tries to render a text; it stops at one below enough.
func cpu(content string, format forum.ContentFormat, enough time.Duration) time.Duration {
	best := time.Hour
	for range 7 {
		runtime.GC()
		begin := spent()
		HTML(content, format, known)
		if best = min(best, spent()-begin); best <= enough {
			break
		}
	}
	return best
}

// inParagraphs returns a text of the maximum length, with a paragraph's end after every n code
// points.
func inParagraphs(s string, n int) string {
	var b strings.Builder
	r := []rune(s)
	for i := 0; i < len(r); i += n {
		b.WriteString(string(r[i:min(len(r), i+n)]) + "\n\n")
	}
	r = []rune(b.String())
	return string(r[:min(len(r), forum.MaxContent)])
}

// slowness is the maximum CPU time of a text, as a multiple of that of an ordinary one. The slowest
// known ones take 4 times as long; the rest is margin for a noisy machine. Without the limits of
// guard.go some take hundreds of times as long.
const slowness = 12

// ordinary returns the CPU time of an ordinary text of the maximum length.
func ordinary() time.Duration {
	return cpu(
		fill("Ordinary *text* with a [link](https://example.org/a) and `code`, some **more** words.\n\n- one\n- two\n\n"),
		forum.Markdown,
		0,
	)
}

// No text takes many times the CPU time of an ordinary one of the same length.
func TestRenderingTimeIsBounded(t *testing.T) {
	testlevel.LongWithoutRace(t)
	testlevel.UsualGarbage(t)
	usual := ordinary()
	slowest, which := time.Duration(0), ""
	try := func(name, content string, format forum.ContentFormat) {
		took := cpu(content, format, 5*usual)
		if took > slowest {
			slowest, which = took, name
		}
		if took > slowness*usual {
			t.Errorf("%s in %s took %v, an ordinary text %v; want at most %d times that", name, format, took, usual, slowness)
		}
	}
	for name, text := range hostileTexts {
		try(name, text, forum.Markdown)
		try(name, text, forum.HTML)
		for _, n := range []int{1_000, 4_000, 16_000} {
			try(name+" in paragraphs", inParagraphs(text, n), forum.Markdown)
		}
	}
	t.Logf("an ordinary text took %v, the slowest, %s, %v", usual, which, slowest)
}

// FuzzTime searches for slow texts: its input is repeated up to the maximum length, with a
// paragraph's end after a number of code points, or none for 0.
func FuzzTime(f *testing.F) {
	testlevel.WithoutRace(f)
	for _, seed := range []string{"+ - a\n", "> - ", "a@a.a ", "a\n-|-\n", "*a~ ", "+\n-\n*\n", "[a]: b\n", "[a] ", "`\\`",
		"<div>", "![a](b \"", "@bob ", "中*", "1. a\n\n", "***a_"} {
		f.Add(seed, uint16(0), false)
		f.Add(seed, uint16(1000), false)
		f.Add(seed, uint16(0), true)
	}
	testlevel.UsualGarbage(f)
	usual := ordinary()
	f.Fuzz(func(t *testing.T, part string, every uint16, isHTML bool) {
		if part == "" || len(part) > 1000 {
			return
		}
		content := fill(part)
		if every > 0 {
			content = inParagraphs(content, int(every))
		}
		format := forum.Markdown
		if isHTML {
			format = forum.HTML
		}
		if took := cpu(content, format, 5*usual); took > slowness*usual {
			t.Errorf("took %v, an ordinary text %v; want at most %d times that", took, usual, slowness)
		}
	})
}
