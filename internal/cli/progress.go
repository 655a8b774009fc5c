package cli

import (
	"fmt"
	"io"
	"time"
)

const (
	// redrawEvery is how often progress is written to a terminal, where each line replaces the previous one.
	redrawEvery = 100 * time.Millisecond
	// lineEvery is how often a line is written if the output is not a terminal.
	lineEvery = 5 * time.Second
)

// clearLine erases the last line on a terminal: a carriage return, then the ANSI sequence that erases to the end of
// the line.
const clearLine = "\r\x1b[K"

// progress shows the progress of a command: one changing line on a terminal, otherwise a line every few seconds.
type progress struct {
	w        io.Writer
	terminal bool
	now      func() time.Time
	began    time.Time
	last     time.Time // of the last line, or of the start
	drawn    bool      // there is a line on the terminal
}

func (p program) newProgress() *progress {
	now := time.Now()
	return &progress{w: p.stderr, terminal: isTerminal(p.stderr), now: time.Now, began: now, last: now}
}

// show writes the line that text returns, if another one is due.
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

// left returns how long the rest takes at the present rate, if done of total are done.
func (p *progress) left(done, total int64) time.Duration {
	if done <= 0 || done >= total {
		return 0
	}
	spent := p.now().Sub(p.began).Seconds()
	return time.Duration(spent * float64(total-done) / float64(done) * float64(time.Second)).Round(time.Second)
}
