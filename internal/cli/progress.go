package cli

import (
	"fmt"
	"io"
	"time"
)

const (
	// redrawEvery is how often progress is written to a terminal, where each line takes the place
	// of the one before.
	redrawEvery = 100 * time.Millisecond
	// lineEvery is how often a line is written where there is no terminal.
	lineEvery = 5 * time.Second
)

// clearLine is what makes a terminal forget its last line: a carriage return, then the ANSI
// sequence that erases to the end of the line.
const clearLine = "\r\x1b[K"

// progress shows how far a command has come: one line that changes on a terminal, elsewhere a
// line every few seconds.
type progress struct {
	w        io.Writer
	terminal bool
	now      func() time.Time
	began    time.Time
	last     time.Time // of the last line, or of the start
	drawn    bool      // a line stands on the terminal
}

func (p program) newProgress() *progress {
	now := time.Now()
	return &progress{w: p.stderr, terminal: isTerminal(p.stderr), now: time.Now, began: now, last: now}
}

// show writes the line that text returns, if it is time for another.
func (p *progress) show(text func() string) {
	now, every := p.now(), lineEvery
	if p.terminal {
		every = redrawEvery
	}
	if now.Sub(p.last) < every {
		return
	}
	p.last = now
	if !p.terminal {
		fmt.Fprintln(p.w, text())
		return
	}
	fmt.Fprint(p.w, clearLine+text())
	p.drawn = true
}

// clear erases the line on the terminal, until the next one is shown.
func (p *progress) clear() {
	if p.drawn {
		fmt.Fprint(p.w, clearLine)
		p.drawn = false
	}
}

// left returns how long the rest takes if it goes on as before, where done of total are done.
func (p *progress) left(done, total int64) time.Duration {
	if done <= 0 || done >= total {
		return 0
	}
	spent := p.now().Sub(p.began).Seconds()
	return time.Duration(spent * float64(total-done) / float64(done) * float64(time.Second)).Round(time.Second)
}
