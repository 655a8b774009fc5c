//go:build linux

package floods

import (
	"fmt"
	"strings"
	"time"

	"agora/internal/test/wait"
)

const (
	// rendererName is the name of the comparison for FLOODS_ONLY.
	rendererName = "a server that renders for many"
	// rendererAddress is the address of that server.
	rendererAddress = "127.0.0.2"
)

// renderers lets a server that renders pages for many ask for the front page on 16 connections, alone and beside a flood
// from elsewhere, without and with --trusted-proxies. It returns how much it was answered, and the goals that were
// missed: beside the flood half as much as alone, or half of what the server uses of the machine, part of which those who
// flood take.
func (p *pair) renderers(life time.Duration) (text string, missed []string) {
	p.t.Helper()
	var b strings.Builder
	for _, trusted := range []bool{false, true} {
		flags, how := []string{"--rate", "requests=0", "--rate", "cost=0"}, "with raised rates"
		if trusted {
			flags, how = []string{"--trusted-proxies", rendererAddress}, "with --trusted-proxies"
		}
		p.renew(flags...)
		alone := p.render(trusted, life, nil)
		p.renew(flags...)
		fresh, hunks := p.posts(200, freshDocument()), p.posts(50, hunksDocument(p.data.edited[1:]))
		hunks.From = fresh.From
		beside := p.render(trusted, life, []flood{fresh, hunks})
		used := beside.served * alone.cpu / alone.served // as much of the processors as without a flood
		fmt.Fprintf(&b, "\n%s, %s: %.0f pages a second alone, %.0f beside a flood (%.0f%%, for %.2f of the server's %.2f CPUs), "+
			"%.0f refused", rendererName, how, alone.served, beside.served, 100*beside.served/alone.served, used, beside.cpu,
			beside.refused)
		if beside.served < alone.served/2 && used < beside.cpu/2 {
			missed = append(missed, fmt.Sprintf("%s, %s: %.0f pages a second beside a flood, %.0f alone; want at least half",
				rendererName, how, beside.served, alone.served))
		}
	}
	return b.String(), missed
}

// rendered is how many pages a second were served and refused, and how many processors the server kept busy.
type rendered struct{ served, refused, cpu float64 }

func (p *pair) render(trusted bool, life time.Duration, floods []flood) rendered {
	p.t.Helper()
	f := p.posts(16, frontPage)
	f.From, f.Nice = []string{rendererAddress}, 0
	if trusted {
		f.Visitors = 5000
	}
	var ends []func() outcome
	for _, other := range floods {
		ends = append(ends, other.start(p.t))
	}
	began, cpu, end := time.Now(), p.attacked.cpu(), f.start(p.t)
	wait.Pause(p.t.Context(), life)
	busy, took, o := (p.attacked.cpu() - cpu).Seconds(), time.Since(began).Seconds(), end()
	for _, end := range ends {
		end()
	}
	return rendered{float64(o.Served) / took, float64(o.total()-o.Served) / took, busy / took}
}
