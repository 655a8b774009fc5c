package main

import (
	"strings"
	"testing"
	"time"
)

// Where there is no terminal, a line is written every few seconds.
func TestProgressWithoutTerminal(t *testing.T) {
	var out strings.Builder
	now := time.Unix(1_700_000_000, 0)
	p := &progress{w: &out, name: "check", unit: "keys", now: func() time.Time { return now }, last: now}
	for second := range int64(12) {
		p.show(100*second, 5000)
		now = now.Add(time.Second)
	}
	p.end()
	if want := "check: 500 of 5000 keys\ncheck: 1000 of 5000 keys\n"; out.String() != want {
		t.Errorf("twelve seconds of progress write %q; want %q", out.String(), want)
	}
}
