package store

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/redis/go-redis/v9"
)

// gather sends reads that many executions make at about the same time together, and equal
// ones once: while some are on their way, others wait for the next pipeline. It is for
// events, which many subscribers execute in the same moment.
type gather struct {
	rdb redis.UniversalClient

	mu      sync.Mutex
	waiting []*gathered
	flying  int
}

// gathered are the reads of one batch. Their results are written before done is closed.
type gathered struct {
	cmds []redis.Cmder
	done chan struct{}
}

const (
	// flights is how many pipelines of gathered reads are on their way at a time: while
	// one is read, Redis works on another.
	flights = 2
	// flightSize is with how many commands a pipeline is full.
	flightSize = 1000
)

type gatherKey struct{}

// Gathered returns a context whose reads may go out with those of others. Each counts in
// its tally as if it had gone out alone.
func Gathered(ctx context.Context) context.Context {
	return context.WithValue(ctx, gatherKey{}, true)
}

// IsGathered reports whether ctx was made by Gathered.
func IsGathered(ctx context.Context) bool { return ctx.Value(gatherKey{}) != nil }

// gathers tells whether the batch is to go out with others: it may when all of it are reads.
func (b *batch) gathers(ctx context.Context) bool {
	if !IsGathered(ctx) || b.pipe.Len() == 0 {
		return false
	}
	for _, cmd := range b.pipe.Cmds() {
		if !reads[cmd.Name()] {
			return false
		}
	}
	return true
}

// reads are the commands that may be sent once for many who ask for the same.
var reads = map[string]bool{
	"exists": true, "get": true, "getrange": true, "hexists": true, "hget": true, "hgetall": true, "hmget": true, "hstrlen": true, "strlen": true,
	"zcard": true, "zcount": true, "zlexcount": true, "zrange": true, "zrangebyscore": true, "zrevrange": true, "zscore": true,
}

// exec sends the reads of a batch, at once or with others, and waits for them. When ctx is
// done it waits only for what is on its way.
func (g *gather) exec(ctx context.Context, b *batch) error {
	g.mu.Lock()
	if g.flying < flights {
		g.flying++
		g.mu.Unlock()
		defer g.landed()
		return b.send(ctx)
	}
	w := &gathered{cmds: b.pipe.Cmds(), done: make(chan struct{})}
	g.waiting = append(g.waiting, w)
	g.mu.Unlock()
	select {
	case <-w.done:
	case <-ctx.Done():
		if g.leave(w) {
			for _, cmd := range w.cmds {
				cmd.SetErr(ctx.Err())
			}
			return ctx.Err()
		}
		<-w.done // the results are being written
	}
	if t := TallyFrom(ctx); t != nil {
		t.RoundTrips.Add(1)
		t.Commands.Add(int64(len(w.cmds)))
	}
	return firstError(w.cmds)
}

// leave takes back what has not been sent yet.
func (g *gather) leave(w *gathered) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	i := slices.Index(g.waiting, w)
	if i < 0 {
		return false
	}
	g.waiting = slices.Delete(g.waiting, i, i+1)
	return true
}

// landed has those who wait sent after a pipeline that came back.
func (g *gather) landed() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.waiting) == 0 {
		g.flying--
		return
	}
	go g.fly() // ends when nobody waits
}

// fly sends those who wait until nobody does.
func (g *gather) fly() {
	for {
		some := g.take()
		if len(some) == 0 {
			return
		}
		g.send(some)
		for _, w := range some {
			close(w.done)
		}
	}
}

// take takes as many of those that wait as fit into one pipeline, or notes that nobody does.
func (g *gather) take() []*gathered {
	g.mu.Lock()
	defer g.mu.Unlock()
	n, size := 0, 0
	for n < len(g.waiting) && (n == 0 || size+len(g.waiting[n].cmds) <= flightSize) {
		size += len(g.waiting[n].cmds)
		n++
	}
	some := slices.Clone(g.waiting[:n])
	g.waiting = slices.Delete(g.waiting, 0, n)
	if n == 0 {
		g.flying--
	}
	return some
}

// send sends all reads as one pipeline. It belongs to none of those who ask: whoever goes
// away takes nothing from the others. The client's own timeouts bound it.
func (g *gather) send(some []*gathered) {
	ctx := context.Background()
	pipe := g.rdb.Pipeline()
	first := map[question]redis.Cmder{}
	same := map[redis.Cmder]redis.Cmder{}
	for _, w := range some {
		for _, cmd := range w.cmds {
			q := questionOf(cmd)
			if asked := first[q]; asked != nil {
				same[cmd] = asked
				continue
			}
			first[q] = cmd
			_ = pipe.Process(ctx, cmd) // it is queued
		}
	}
	_, _ = pipe.Exec(ctx) // each command bears its own error
	for cmd, from := range same {
		answer(cmd, from)
	}
}

// question is the same for equal commands.
type question struct {
	result reflect.Type
	line   string
}

func questionOf(cmd redis.Cmder) question {
	var line strings.Builder
	for _, arg := range cmd.Args() {
		text, is := arg.(string)
		if !is {
			text = fmt.Sprint(arg)
		}
		line.WriteString(strconv.Itoa(len(text)))
		line.WriteByte(':')
		line.WriteString(text)
	}
	return question{reflect.TypeOf(cmd), line.String()}
}

// valued is a command with a result of some type.
type valued[T any] interface {
	redis.Cmder
	Val() T
	SetVal(T)
}

// answer gives a command the result of an equal one. Nobody writes to results.
func answer(to, from redis.Cmder) {
	switch from := from.(type) {
	case *redis.MapStringStringCmd:
		answerAs(to, from)
	case *redis.SliceCmd:
		answerAs(to, from)
	case *redis.StringCmd:
		answerAs(to, from)
	case *redis.StringSliceCmd:
		answerAs(to, from)
	case *redis.IntCmd:
		answerAs(to, from)
	case *redis.FloatCmd:
		answerAs(to, from)
	case *redis.BoolCmd:
		answerAs(to, from)
	case *redis.ZSliceCmd:
		answerAs(to, from)
	default:
		to.SetErr(fmt.Errorf("agora: the result of %s cannot be shared", from.Name()))
	}
}

func answerAs[T any](to redis.Cmder, from valued[T]) {
	to.SetErr(from.Err())
	to.(interface{ SetVal(T) }).SetVal(from.Val())
}
