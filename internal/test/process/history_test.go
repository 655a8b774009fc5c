package process

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"agora/internal/test/testlevel"
)

// call is one call to a register: a user's vote on a topic, or whether a user follows another one.
type call struct {
	write bool
	value string // that is written
}

// reply is what a call returned.
type reply struct {
	known   bool   // false for a write without an answer
	value   string // that was read
	changed bool   // whether a write changed anything
}

// register is the model of a register that holds first at the beginning.
func register(first string) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return first },
		Step: func(state, input, output any) (bool, any) {
			c, r := input.(call), output.(reply)
			switch {
			case !c.write:
				return r.value == state.(string), state
			case r.known && r.changed != (c.value != state.(string)):
				return false, state
			}
			return true, c.value
		},
	}
}

// history is what several clients did with one register, each call with its time.
type history struct {
	first  string   // the value at the beginning
	values []string // that are written
	set    func(w *killRun, value string) (changed bool, f fate)
	read   func(w *killRun) (value string, f fate)

	mu    sync.Mutex
	calls []porcupine.Operation
}

// act makes a call and records it. A read without an answer says nothing. A write without one may take effect at any
// time, so it ends never.
func (h *history) act(w *killRun, began time.Time) {
	op := porcupine.Operation{Call: time.Since(began).Nanoseconds()}
	var f fate
	if rand.IntN(2) == 0 {
		var value string
		value, f = h.read(w)
		op.Input, op.Output = call{}, reply{known: true, value: value}
	} else {
		value := h.values[rand.IntN(len(h.values))]
		var changed bool
		changed, f = h.set(w, value)
		op.Input, op.Output = call{write: true, value: value}, reply{known: f == acknowledged, changed: changed}
	}
	op.Return = time.Since(began).Nanoseconds()
	switch {
	case f == refused:
		w.site.t.Errorf("%+v was refused", op.Input)
		return
	case f == unknown && !op.Input.(call).write:
		return
	case f == unknown:
		op.Return = math.MaxInt64
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.calls = append(h.calls, op)
}

// checkTime is how long the checker may take for one register.
const checkTime = time.Minute

// linearizable reports whether some order of the calls explains all replies: each call takes effect at one instant
// between its beginning and its end.
func (h *history) linearizable() porcupine.CheckResult {
	return porcupine.CheckOperationsTimeout(register(h.first), h.calls, checkTime)
}

// spoil adds a read, before all calls, of a value that is written later.
func (h *history) spoil() {
	h.calls = append(h.calls, porcupine.Operation{
		Call: -2, Return: -1, Input: call{}, Output: reply{known: true, value: h.values[0]},
	})
}

const (
	opViewerVote = `query($id: ID!) { r: node(id: $id) { ... on Votable { votes { viewerVote } } } }`
	opFollowing  = `query($id: String!) { r: user(by: {login: $id}) { id viewerIsFollowing } }`
)

// voteHistory is the history of a client's vote on a topic.
func voteHistory(c *killClient, topic *killPost) *history {
	return &history{
		first: "NONE", values: []string{"UP", "DOWN", "NONE"},
		set: func(w *killRun, value string) (bool, fate) {
			return w.set(c.token, opVote, map[string]any{"subjectId": topic.id, "direction": value})
		},
		read: func(w *killRun) (string, fate) {
			var post struct{ Votes struct{ ViewerVote string } }
			f := w.look(c.token, opViewerVote, topic.id, &post)
			return post.Votes.ViewerVote, f
		},
	}
}

// followHistory is the history of whether a client follows another one.
func followHistory(c *killClient, login, id string) *history {
	return &history{
		first: "false", values: []string{"true", "false"},
		set: func(w *killRun, value string) (bool, fate) {
			return w.set(c.token, opFollow, map[string]any{"targetId": id, "following": value == "true"})
		},
		read: func(w *killRun) (string, fate) {
			var user struct{ ViewerIsFollowing bool }
			f := w.look(c.token, opFollowing, login, &user)
			return fmt.Sprint(user.ViewerIsFollowing), f
		},
	}
}

// set sends a mutation that sets a state, and returns whether it changed anything.
func (w *killRun) set(token, query string, input map[string]any) (changed bool, f fate) {
	p, f, _ := w.mutate(patient, token, query, input)
	return p.Changed, f
}

// look reads a node.
func (w *killRun) look(token, query, id string, into any) fate {
	a, err := w.ask(patient, token, query, map[string]any{"id": id})
	if err != nil || len(a.Errors) > 0 || json.Unmarshal(a.Data.R, into) != nil {
		return unknown
	}
	return acknowledged
}

const (
	// registers of each kind are used at a time, by callers that choose one for each call.
	registers, callers = 8, 16
	// roundTime is how long registers are used: each write without an answer makes the check take longer.
	roundTime = 4 * time.Second
)

// TestVotesAndFollowsAreLinearizable sets and reads votes and follows through two servers, which are killed all the
// time: what clients see of each can be explained by one order of the calls. KILL_SECONDS is the duration, 4 if not
// set.
func TestVotesAndFollowsAreLinearizable(t *testing.T) {
	testlevel.LongWithoutRace(t)
	s := startKillSite(t, asUsual)
	children := []*child{s.start(s.addrs[0]), s.start(s.addrs[1])}
	for _, c := range children {
		s.await(c)
	}
	w := newKillRun(s)
	w.furnish()
	life := killSeconds(t)
	calls, without, all, began := 0, 0, 0, time.Now()
	var last *history
	for time.Since(began) < life {
		for _, h := range w.round(children, all) {
			if result := h.linearizable(); result != porcupine.Ok {
				t.Errorf("a history of %d calls is %s", len(h.calls), result)
			}
			last = h
			all++
			calls += len(h.calls)
			for _, op := range h.calls {
				if op.Return == math.MaxInt64 {
					without++
				}
			}
		}
	}
	last.spoil()
	if result := last.linearizable(); result != porcupine.Illegal {
		t.Errorf("a history with a read from the future is %s; want it refused", result)
	}
	t.Logf("%d histories with %d calls, %d of them writes without an answer; %d kills", all, calls, without,
		s.kills.Load())
	if calls < 100*all/2 || without == 0 {
		t.Error("too few calls; the test shows nothing")
	}
}

// round uses fresh registers for a while, and returns their histories. past is how many registers there were before.
func (w *killRun) round(children []*child, past int) (all []*history) {
	t := w.site.t
	for n := range registers {
		author, voter := w.clients[n], w.clients[n+1]
		author.createTopic(true)
		all = append(all, voteHistory(voter, author.topics[len(author.topics)-1]))
		login := fmt.Sprintf("followed%d", past+n)
		p, f, code := w.mutate(10*time.Second, "", opRegister, newcomer(login))
		if f != acknowledged {
			t.Fatalf("register %s: %s %v", login, code, p)
		}
		var user seenID
		if w.look("", opFollowing, login, &user) != acknowledged {
			t.Fatalf("%s is not there", login)
		}
		all = append(all, followHistory(voter, login, user.ID))
	}
	began := time.Now()
	ctx, cancel := context.WithTimeout(context.Background(), roundTime)
	defer cancel()
	var running sync.WaitGroup
	for _, c := range children {
		running.Go(func() { w.site.reap(ctx, c) }) // ends with ctx
	}
	for range callers {
		running.Go(func() { // ends with ctx
			for ctx.Err() == nil {
				all[rand.IntN(len(all))].act(w, began)
			}
		})
	}
	running.Wait()
	for i, c := range children {
		children[i] = w.site.start(c.addr)
		w.site.await(children[i])
	}
	return all
}

// The checker refuses histories that no order of the calls explains.
func TestCheckerRefusesWrongHistories(t *testing.T) {
	at := func(began, ended int64, c call, r reply) porcupine.Operation {
		return porcupine.Operation{Call: began, Return: ended, Input: c, Output: r}
	}
	up, down := call{write: true, value: "UP"}, call{write: true, value: "DOWN"}
	saw := func(value string) reply { return reply{known: true, value: value} }
	set := func(changed bool) reply { return reply{known: true, changed: changed} }
	never := int64(math.MaxInt64)
	tests := []struct {
		name  string
		calls []porcupine.Operation
		want  porcupine.CheckResult
	}{
		{"a vote is read", []porcupine.Operation{at(1, 2, up, set(true)), at(3, 4, call{}, saw("UP"))}, porcupine.Ok},
		{"an acknowledged vote is lost",
			[]porcupine.Operation{at(1, 2, up, set(true)), at(3, 4, call{}, saw("NONE"))}, porcupine.Illegal},
		{"a read while a vote is cast sees it or not",
			[]porcupine.Operation{at(1, 9, up, set(true)), at(2, 3, call{}, saw("NONE")), at(4, 5, call{}, saw("UP"))},
			porcupine.Ok},
		{"a vote that was seen is gone",
			[]porcupine.Operation{at(1, 9, up, set(true)), at(2, 3, call{}, saw("UP")), at(4, 5, call{}, saw("NONE"))},
			porcupine.Illegal},
		{"a vote without an answer takes effect later", []porcupine.Operation{at(1, never, up, reply{}),
			at(2, 3, call{}, saw("NONE")), at(4, 5, call{}, saw("UP"))}, porcupine.Ok},
		{"or twice", []porcupine.Operation{at(1, never, up, reply{}), at(2, 3, call{}, saw("UP")),
			at(4, 5, down, set(true)), at(6, 7, call{}, saw("UP"))}, porcupine.Illegal},
		{"two equal votes both change something",
			[]porcupine.Operation{at(1, 2, up, set(true)), at(3, 4, up, set(true))}, porcupine.Illegal},
	}
	for _, tt := range tests {
		h := &history{first: "NONE", calls: tt.calls}
		if got := h.linearizable(); got != tt.want {
			t.Errorf("%s: %s; want %s", tt.name, got, tt.want)
		}
	}
}
