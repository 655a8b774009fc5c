package cli

import (
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

const (
	// barFrom is how much there must be to do for a progress bar.
	barFrom = 20_000
	// barEvery is how often it is drawn.
	barEvery = 100 * time.Millisecond
	// lineEvery is how often a line is written where there is no terminal.
	lineEvery = 5 * time.Second
)

// progress shows how far a command has come: a bar on a terminal, elsewhere a line every
// few seconds.
type progress struct {
	w        io.Writer
	terminal bool
	name     string // of the command
	unit     string // of what is counted
	now      func() time.Time
	bar      *progressbar.ProgressBar
	last     time.Time // of the last line, or of the start
}

func (p program) newProgress(name, unit string) *progress {
	return &progress{w: p.stderr, terminal: isTerminal(p.stderr), name: name, unit: unit, now: time.Now, last: time.Now()}
}

// show says that done of total are done. A total that is not known is 0.
func (p *progress) show(done, total int64) {
	if !p.terminal {
		p.line(done, total)
		return
	}
	if total < barFrom {
		return // done before a bar could be read
	}
	if p.bar == nil {
		p.bar = progressbar.NewOptions64(total, progressbar.OptionSetWriter(p.w),
			progressbar.OptionSetDescription(p.name), progressbar.OptionThrottle(barEvery))
	}
	p.bar.ChangeMax64(total)
	p.bar.Set64(done)
}

// due reports whether it is time for another line.
func (p *progress) due() bool {
	now := p.now()
	if now.Sub(p.last) < lineEvery {
		return false
	}
	p.last = now
	return true
}

func (p *progress) line(done, total int64) {
	if !p.due() {
		return
	}
	if total > 0 {
		fmt.Fprintf(p.w, "%s: %d of %d %s\n", p.name, done, total, p.unit)
		return
	}
	fmt.Fprintf(p.w, "%s: %d %s\n", p.name, done, p.unit)
}

// end takes the bar away.
func (p *progress) end() {
	if p.bar != nil {
		p.bar.Clear()
	}
}
