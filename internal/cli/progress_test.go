package cli

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"agora/internal/importer"
)

// Without a terminal, a line is written every few seconds.
func TestProgressWithoutTerminal(t *testing.T) {
	var out strings.Builder
	now := time.Unix(1_700_000_000, 0)
	p := &progress{w: &out, now: func() time.Time { return now }, last: now}
	for second := range 12 {
		p.show(func() string { return fmt.Sprintf("check: %d of 5000 keys", 100*second) })
		now = now.Add(time.Second)
	}
	p.clear()
	if want := "check: 500 of 5000 keys\ncheck: 1000 of 5000 keys\n"; out.String() != want {
		t.Errorf("twelve seconds of progress write %q; want %q", out.String(), want)
	}
}

// On a terminal each line replaces the previous one, and none remains at the end.
func TestProgressOnTerminal(t *testing.T) {
	var out strings.Builder
	now := time.Unix(1_700_000_000, 0)
	p := &progress{w: &out, terminal: true, now: func() time.Time { return now }, last: now}
	for tick := range 5 {
		p.show(func() string { return fmt.Sprint("keys: ", tick) })
		now = now.Add(redrawEvery / 2)
	}
	p.clear()
	p.clear()
	if want := clearLine + "keys: 2" + clearLine + "keys: 4" + clearLine; out.String() != want {
		t.Errorf("five ticks write %q; want %q", out.String(), want)
	}
}

func TestImportProgressWithoutTerminal(t *testing.T) {
	var out strings.Builder
	var read, total atomic.Int64
	total.Store(4000)
	p := program{stderr: &out}.newImportProgress(&read, &total)
	now := p.began
	p.now = func() time.Time { return now }
	for second := range 12 {
		read.Store(int64(100 * second))
		p.show(importer.Summary{Records: 20 * second})
		now = now.Add(time.Second)
	}
	p.clear()
	want := "import: 100 records, 20/s, 12 % of the files read, about 35s left\n" +
		"import: 200 records, 20/s, 25 % of the files read, about 30s left\n"
	if out.String() != want {
		t.Errorf("twelve seconds of progress write %q; want %q", out.String(), want)
	}
	out.Reset()
	total.Store(-1)
	now = now.Add(time.Minute)
	p.show(importer.Summary{Records: 720})
	if want := "import: 720 records, 10/s\n"; out.String() != want {
		t.Errorf("progress of standard input is %q; want %q", out.String(), want)
	}
}
