package breadth_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/99designs/gqlgen/graphql/executor"
	"go.uber.org/goleak"

	"agora/breadth"
	"agora/breadth/breadthtest"
	"agora/breadth/internal/fixture"
)

// cancelling is a context that cancels itself after a number of checks.
type cancelling struct {
	context.Context
	left   atomic.Int64
	cancel context.CancelFunc
}

func (c *cancelling) Err() error {
	if c.left.Add(-1) == 0 {
		c.cancel()
	}
	return c.Context.Err()
}

// Each of these operations is cancelled at several moments.
const (
	operations = 300
	moments    = 10
)

func TestCancelledOperationsLeaveNothingBehind(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	_, own := executors()
	g := breadthtest.NewGenerator(own.Schema(), 6, 20, "Left", "Right", "Twins")
	r := rand.New(rand.NewPCG(0, 2))
	o, cancelled := breadthtest.Operation{}, 0
	for seed := range uint64(operations * moments) {
		for ok := seed%moments != 0; !ok; {
			o, ok = g.Operation(r)
		}
		inner, cancel := context.WithCancel(worldOf(seed, 20).With(context.Background()))
		ctx := &cancelling{Context: inner, cancel: cancel}
		ctx.left.Store(1 + r.Int64N(12))
		var outside sync.WaitGroup
		if seed%4 == 0 { // at any moment
			outside.Go(func() { runtime.Gosched(); cancel() })
		}
		for _, a := range breadthtest.Run(ctx, own, o) {
			if a.Data != "" && !json.Valid([]byte(a.Data)) {
				t.Fatalf("seed %d\n%s\nanswers %v", seed, o.Text, a)
			}
			if strings.Contains(fmt.Sprint(a.Errors), "context canceled") {
				cancelled++
			}
		}
		cancel()
		outside.Wait()
	}
	if all := operations * moments; cancelled < all/10 {
		t.Errorf("%d of %d operations were cancelled; want more", cancelled, all)
	}
}

func TestResolversAreNotCalledAfterCancellation(t *testing.T) {
	s := family(t)
	ctx, cancel := context.WithCancel(context.Background())
	s.loads.dispatch = cancel
	got := s.answers(ctx, "{ people { id partner { id } team { id } } }")
	want := `[{"people":[{"id":"0","partner":null,"team":null},{"id":"1","partner":null,"team":null}]}
  people[0].partner: context canceled
  people[0].team: context canceled
  people[1].partner: context canceled
  people[1].team: context canceled]`
	if fmt.Sprint(got) != want {
		t.Errorf("answers %v\nwant %v", got, want)
	}
	s.expectTrips(1)
}

// A panic outside of all resolvers ends the response, and wakes up waiting tasks so that they end, too.
func TestAPanicOfTheExecutorLeavesNothingBehind(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	s := family(t)
	var woken error
	s.resolvers["Query.word"] = func(ctx context.Context, _ any) (any, error) {
		woken = s.ask(ctx)
		return "word", woken
	}
	s.resolvers["Query.people"] = s.waiting(func(context.Context, any) (any, error) { panic("no people") })
	e, recovered := executor.New(s.schema()), 0
	e.SetRecoverFunc(func(context.Context, any) error {
		if recovered++; recovered == 1 {
			panic("no recovery")
		}
		return errors.New("recovered")
	})
	resp := execute(t, e, "{ people { id } word }")
	if string(resp.Data) != "null" || len(resp.Errors) != 1 || resp.Errors[0].Message != "recovered" {
		t.Errorf("answers %s %v; want null and an error", resp.Data, resp.Errors)
	}
	if woken == nil {
		t.Error("Wait = nil; want an error")
	}
}

// list is the length of the long list.
const list = 10_000

func TestALongListNeedsFewGoroutines(t *testing.T) {
	s := family(t)
	s.resolvers["Query.people"] = give(people(list))
	most, before := 0, runtime.NumGoroutine()
	for field, r := range s.resolvers {
		s.resolvers[field] = func(ctx context.Context, of any) (any, error) {
			v, err := r(ctx, of)
			most = max(most, runtime.NumGoroutine())
			return v, err
		}
	}
	s.resolvers["Person.single"] = give((*fixture.Place)(nil)) // one task each, but none waits
	got := s.answers(context.Background(), "{ people { id team { partner { id } } partner { id } single { name } } }")
	if n := strings.Count(got[0].Data, `"single":null`); n != list || len(got[0].Errors) > 0 {
		t.Errorf("%d persons, errors %v; want %d", n, got[0].Errors, list)
	}
	if most > before+10 {
		t.Errorf("up to %d goroutines; want about as many as before, %d", most, before)
	}
	s.expectTrips(2, 1)
}

func TestBuffersAreUsedAgainSafely(t *testing.T) {
	_, own := executors()
	o, err := breadthtest.ParseOperation(own.Schema(),
		"{ people { id name home { name points { x } } team { id } } places { name texts } }", nil)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for worker := range uint64(8) {
		all.Go(func() {
			for i := range uint64(60) {
				ctx := worldOf(worker*1000+i, 0).With(context.Background())
				first := breadthtest.Run(ctx, own, o)[0].Data
				data := breadthtest.Respond(ctx, own, o).Data
				if string(data) != first {
					t.Errorf("answers %s; want %s", data, first)
				}
				breadth.Release(data)
			}
		})
	}
	all.Wait()
	breadth.Release(nil)
	breadth.Release(make([]byte, 0, 1<<21))
}
