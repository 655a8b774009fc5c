package importer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"testing"
	"testing/iotest"
	"time"

	"agora/internal/store"
	"agora/internal/test/must"
	built "agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// dies imports with a process that is killed right before its nth step. It returns that step, or ""
// if there are fewer.
func (x *site) dies(n int, o Options, file []byte) (killed string) {
	x.t.Helper()
	kill := built.KillAt("", n)
	s := x.process(x.server.Client(x.t), store.WithSteps(func(name string) {
		killed = name
		kill(name)
	}))
	if !built.Killed(func() { must.Do(x.run(x.ctx, s, o, file))(x.t) }) {
		return ""
	}
	return killed
}

// A process may be killed before any step. The next run completes the import as if nothing had
// happened, also if a minute passes between the runs, in which the sweeper abandons unfinished
// work.
func TestImportAfterACrashAtEveryStep(t *testing.T) {
	testlevel.Usual(t)
	for _, s := range small {
		for _, wait := range []time.Duration{0, time.Minute} {
			t.Run(fmt.Sprintf("%s %v", s.format, wait), func(t *testing.T) {
				t.Parallel() // registrations wait between their tries
				x := newSite(t)
				met := map[string]bool{}
				for n, killed := 1, "?"; killed != "" && !t.Failed(); n++ {
					x.wipe()
					killed = x.dies(n, Options{Format: s.format}, lines(s.records...))
					met[killed] = true
					x.clock.Advance(wait)
					if wait > 0 {
						x.settle()
					}
					if _, err := x.run(x.ctx, x.Store, Options{Format: s.format},
						lines(s.records...)); err != nil || len(x.reported) > 0 {
						t.Fatalf("Run after a crash before step %d, %s = %v, reported %q; want no errors", n, killed, err, x.reported)
					}
					x.settle()
					wantShown(t, x, s.shown)
					if t.Failed() {
						t.Errorf("the import was killed before step %d, %s", n, killed)
					}
				}
				for _, step := range []string{"claim_get", "user_create", "claim_set", "user_activate", "import_topics", "index"} {
					if !met[step] && !t.Failed() {
						t.Errorf("no import was killed before %s", step)
					}
				}
			})
		}
	}
}

// The same holds if Redis or the process dies at any round trip, whether or not Redis has executed
// it.
func TestImportAfterACrashAtEveryRoundTrip(t *testing.T) {
	testlevel.Usual(t)
	for _, s := range small[:2] { // the third takes the same paths
		for name, how := range map[string]fate{"lost": lost, "unheard": unheard} {
			t.Run(string(s.format)+" "+name, func(t *testing.T) {
				t.Parallel()
				x := newSite(t)
				for n, killed := 1, true; killed && !t.Failed(); n++ {
					x.wipe()
					killed = x.diesAtTrip(n, how, Options{Format: s.format}, lines(s.records...))
					if _, err := x.run(x.ctx, x.Store, Options{Format: s.format},
						lines(s.records...)); err != nil || len(x.reported) > 0 {
						t.Fatalf("Run after a crash at round trip %d = %v, reported %q; want no errors", n, err, x.reported)
					}
					x.settle()
					wantShown(t, x, s.shown)
					if t.Failed() {
						t.Errorf("the import was killed at round trip %d", n)
					}
				}
			})
		}
	}
}

// diesAtTrip imports with a process that ends at its nth round trip. It reports whether there was
// one.
func (x *site) diesAtTrip(n int, how fate, o Options, file []byte) (killed bool) {
	x.t.Helper()
	ctx, cancel := context.WithCancel(context.WithValue(x.ctx, ofImport{}, true))
	defer cancel()
	s, out := x.unreliable()
	out.fate = func(trip int) fate {
		if trip < n {
			return arrives
		}
		out.dead = true
		cancel()
		return how
	}
	_, err := x.run(ctx, s, o, file)
	if killed = out.dead; killed == (err == nil) {
		x.t.Fatalf("Run = %v, killed %t; want an error if it was killed", err, killed)
	}
	return killed
}

// Redis may be unreachable for one or three round trips: the run continues by itself, without
// duplicates or omissions.
func TestImportWhileRedisIsDown(t *testing.T) {
	testlevel.Usual(t)
	for _, s := range small[:2] { // the third takes the same paths
		for name, outage := range map[string]struct {
			length int
			how    fate
		}{"once, lost": {1, lost}, "once, unheard": {1, unheard}, "three times, lost": {3, lost}} {
			t.Run(string(s.format)+" "+name, func(t *testing.T) {
				t.Parallel()
				x := newSite(t)
				for n, met := 1, true; met && !t.Failed(); n++ {
					x.wipe()
					met = x.runThrough(n, outage.length, outage.how, s.sum, Options{Format: s.format}, lines(s.records...))
					x.settle()
					wantShown(t, x, s.shown)
					if t.Failed() {
						t.Errorf("Redis was unreachable at round trip %d", n)
					}
				}
			})
		}
	}
}

// runThrough imports with a Redis that is unreachable for some round trips from the nth on. It
// reports whether there were so many. The run has the same summary as one without outages.
func (x *site) runThrough(n, length int, how fate, want Summary, o Options, file []byte) bool {
	x.t.Helper()
	s, out := x.unreliable()
	met := false
	out.fate = func(trip int) fate {
		if trip < n || trip >= n+length {
			return arrives
		}
		met = true
		return how
	}
	sum, err := x.run(context.WithValue(x.ctx, ofImport{}, true), s, o, file)
	if err != nil || len(x.reported) != want.Bad {
		x.t.Fatalf("Run with an outage at round trip %d = %v, reported %q; want no errors", n, err, x.reported)
	}
	wantSummary(x.t, sum, want)
	return met
}

// Duplicates in the file count once, also if the reply of their batch is lost.
func TestImportCountsDuplicatesOnceAfterAnOutage(t *testing.T) {
	testlevel.Usual(t)
	records := append(smallHackerNews(), smallHackerNews()...)
	x := newSite(t)
	want, err := x.run(x.ctx, x.Store, Options{Format: HackerNews}, lines(records...))
	if err != nil || want.Known == 0 {
		t.Fatalf("Run = %+v, %v; want some known records", want, err)
	}
	for n, met := 1, true; met && !t.Failed(); n++ {
		x.wipe()
		met = x.runThrough(n, 1, unheard, want, Options{Format: HackerNews}, lines(records...))
	}
}

// Objects of an earlier run are known, also if the reply of their batch is lost.
func TestImportAgainWhileRedisIsDown(t *testing.T) {
	testlevel.Usual(t)
	for _, s := range small[:2] {
		x := newSite(t)
		for n, met := 1, true; met && !t.Failed(); n++ {
			x.wipe()
			x.load(s.sum, Options{Format: s.format}, lines(s.records...))
			x.clock.Advance(time.Second)
			want := Summary{
				Records: s.sum.Records,
				Known:   s.sum.Topics + s.sum.Comments,
				Skipped: s.sum.Skipped,
				Missing: s.sum.Missing,
				Changes: s.sum.Changes,
			}
			met = x.runThrough(n, 1, unheard, want, Options{Format: s.format}, lines(s.records...))
		}
	}
}

// What a batch created whose reply was lost counts as created, also if the clock goes back meanwhile.
func TestImportCountsWhileTheClockGoesBack(t *testing.T) {
	testlevel.Usual(t)
	x := newSite(t)
	for _, s := range small[:2] {
		for n, met := 1, true; met && !t.Failed(); n++ {
			x.wipe()
			process, out := x.unreliable()
			met = false
			out.fate = func(trip int) fate {
				x.clock.Advance(-time.Second)
				if trip != n {
					return arrives
				}
				met = true
				return unheard
			}
			sum, err := x.run(context.WithValue(x.ctx, ofImport{}, true), process, Options{Format: s.format},
				lines(s.records...))
			must.OK(t, err)
			if wantSummary(t, sum, s.sum); t.Failed() {
				t.Errorf("%s: the reply of round trip %d was lost", s.format, n)
			}
		}
	}
}

// A Redis that remains unreachable ends the run.
func TestImportGivesUp(t *testing.T) {
	x := newSite(t)
	s, out := x.unreliable()
	out.fate = func(int) fate { return lost }
	sum, err := x.run(context.WithValue(x.ctx, ofImport{}, true), s, Options{Format: V2EX}, lines(smallV2EX()...))
	if !errors.Is(err, errOutage) || out.trips != tries {
		t.Errorf("Run without Redis = %v after %d tries; want %v after %d", err, out.trips, errOutage, tries)
	}
	wantSummary(t, sum, Summary{})
}

// closing records whether a file was closed.
type closing struct {
	io.Reader
	closed bool
}

func (c *closing) Close() error {
	c.closed = true
	return nil
}

// When Run returns, for whatever reason, nothing continues to read.
func TestImportClosesItsFile(t *testing.T) {
	x := newSite(t)
	file := &closing{Reader: iotest.OneByteReader(bytes.NewReader(lines(smallHackerNews()...)))}
	s, out := x.unreliable()
	out.fate = func(int) fate { return lost }
	o := Options{Format: HackerNews, Category: "Imported", rest: time.Microsecond}
	_, err := Run(
		context.WithValue(x.ctx, ofImport{}, true),
		s,
		o,
		[]Input{{Name: "file", Open: func() (io.ReadCloser, error) { return file, nil }}},
	)
	if err == nil || !file.closed {
		t.Errorf("Run without Redis = %v, file closed %t; want an error, closed", err, file.closed)
	}
}

// A cancelled import returns the context's error, whatever it is doing.
func TestImportIsCancelled(t *testing.T) {
	x := newSite(t)
	before, cancel := context.WithCancel(x.ctx)
	cancel()
	if _, err := x.run(before, x.Store, Options{Format: V2EX}, lines(smallV2EX()...)); !errors.Is(err, context.Canceled) {
		t.Errorf("Run with a cancelled context = %v; want %v", err, context.Canceled)
	}
	waiting, cancel := context.WithCancel(context.WithValue(x.ctx, ofImport{}, true))
	s, out := x.unreliable()
	out.fate = func(int) fate {
		cancel()
		return lost
	}
	if _, err := x.run(waiting, s, Options{Format: V2EX}, lines(smallV2EX()...)); err == nil || out.trips != 1 {
		t.Errorf("Run cancelled while Redis is unreachable = %v after %d tries; want an error after 1", err, out.trips)
	}
}
