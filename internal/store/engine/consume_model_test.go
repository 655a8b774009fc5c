package engine_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/test/testlevel"
	"agora/internal/test/testseed"
)

// said is what was said of an object.
type said struct {
	word   string // of an entry of its own, or ""
	number int64
}

// random has two processes follow changes that a third makes, all at random.
type random struct {
	*changes
	r         *rand.Rand
	objects   []string
	said      map[string][]said
	processes [2]*engine.Engine
	recorders map[string]*recorder
	since     map[string]map[string]int // how much was said of each object when a consumer joined
}

// start replaces a process, whose predecessor was killed, by one with some consumers.
func (m *random) start(i int, consumers ...string) {
	m.processes[i] = m.process(nil)
	for _, name := range consumers {
		m.processes[i].OnChange(name, all, m.recorders[name].handle)
	}
}

// step does something.
func (m *random) step() {
	names := []string{"copy", "late"}
	r := m.recorders[names[m.r.IntN(2)]]
	object := m.objects[m.r.IntN(len(m.objects))]
	switch n := m.r.IntN(100); {
	case n < 60:
		word := []string{"STATE", "VOTES", "TEXT", "CATEGORY", "DELETED", "PROFILE"}[m.r.IntN(6)]
		if len(m.said[object]) == 0 {
			word = "CREATED"
		}
		at := said{number: m.change(object, word)}
		if slices.Contains([]string{"CREATED", "STATE", "CATEGORY", "DELETED"}, word) {
			at.word = word
		}
		m.said[object] = append(m.said[object], at)
	case n < 80:
		tick(m.t, m.processes[m.r.IntN(2)])
	case n < 90:
		m.clock.Advance(time.Duration(m.r.IntN(3000)) * time.Millisecond)
	case n < 94:
		r.dies = true // in its next call, before its progress is noted
	case n < 97:
		r.bad[object] = true
	default:
		clear(r.bad)
	}
}

// check compares what a consumer was called with, and what was said since it joined.
func (m *random) check(name string) {
	m.t.Helper()
	for _, object := range m.objects {
		heard, highest := map[said]bool{}, int64(0)
		for _, c := range m.recorders[name].seen {
			if nameOf(c) != object || c.Number == 0 { // it may also have met it in its walk
				continue
			}
			at := said{c.Word, c.Number}
			if !heard[at] && c.Number < highest {
				m.t.Errorf("%s heard of %s %v for the first time after number %d", name, object, at, highest)
			}
			heard[at], highest = true, max(highest, c.Number)
		}
		all := m.said[object][m.since[name][object]:]
		for i, at := range all {
			latest := !slices.ContainsFunc(all[i+1:], func(s said) bool { return s.word == "" })
			if !heard[at] && (at.word != "" || latest) {
				m.t.Errorf("%s did not hear of %s %v, the last number of which is %d", name, object, at, all[len(all)-1].number)
			}
		}
	}
}

// Whatever happens to the processes that follow changes, a consumer hears of the latest change of every object, and of each
// one with an entry of its own, in their order.
func TestConsumersMissNothing(t *testing.T) {
	testlevel.Usual(t)
	seed := testseed.First()
	for run := range uint64(4) {
		t.Run(fmt.Sprint(seed+run), func(t *testing.T) {
			m := &random{changes: newChanges(t), r: rand.New(rand.NewPCG(seed, run)), said: map[string][]said{},
				recorders: map[string]*recorder{"copy": {bad: map[string]bool{}}, "late": {bad: map[string]bool{}}},
				since:     map[string]map[string]int{"copy": {}, "late": {}},
				objects: []string{topic(1, 7), topic(2, 7), key.User(forum.UserID(3*forum.Partitions + 7)), topic(1, 8),
					key.Category(1), key.Act(forum.MaxSectionActID + 1)}}
			m.start(0, "copy")
			m.start(1, "copy")
			tick(t, m.processes[0])
			for range 150 {
				m.step()
			}
			for _, object := range m.objects {
				m.since["late"][object] = len(m.said[object])
			}
			m.start(1, "copy", "late")
			m.clock.Advance(3 * time.Second)
			tick(t, m.processes[1])
			for range 150 {
				m.step()
			}
			for _, r := range m.recorders {
				clear(r.bad)
				r.dies = false
			}
			m.settle(m.processes[1])
			m.check("copy")
			m.check("late")
			if keys := m.left(); slices.ContainsFunc(keys, func(k string) bool { return strings.Contains(k, "}:feed") }) {
				t.Errorf("%v are left of what all have handled", keys)
			}
		})
	}
}
