package main

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/bench/subject"
	"agora/internal/store/script"
)

// bare replies without a server: it sends the commands that the server sends for a reply directly through go-redis,
// one pipeline for each step. Like the server, it batches the removal of marks of many replies.
type bare struct {
	redis    *redis.Client
	recorded []recording
	marks    chan []any // arguments of commands that remove marks
	flush    chan chan error
	sent     [2]atomic.Int64 // round trips, commands
	end      context.CancelFunc
	ended    sync.WaitGroup
}

// newBare starts the goroutine that removes marks; close ends it.
func newBare(ctx context.Context, url string, recorded []recording) (*bare, error) {
	conn, err := subject.Connect(ctx, url)
	if err != nil {
		return nil, err
	}
	r := &bare{redis: conn, recorded: recorded, marks: make(chan []any, 2048), flush: make(chan chan error)}
	var life context.Context
	life, r.end = context.WithCancel(context.Background())
	r.ended.Go(func() { r.clean(life) })
	return r, nil
}

func (r *bare) close() {
	r.end()
	r.ended.Wait()
	r.redis.Close()
}

// call implements call: all steps of a reply.
func (r *bare) call(client, n int) error {
	ctx := context.Background()
	rec := r.recorded[client*topicsPerClient+n%topicsPerClient]
	v := values{now: time.Now().UnixMilli()}
	for i, step := range rec.steps {
		pipe := r.redis.Pipeline()
		for _, c := range step {
			if err := pipe.Process(ctx, typed(ctx, c.with(v))); err != nil {
				return err
			}
		}
		cmds, err := r.send(ctx, pipe)
		if err != nil && !errors.Is(err, redis.Nil) {
			return err
		}
		if i == rec.create {
			made, err := created(cmds[0].(*redis.Cmd))
			if err != nil {
				return err
			}
			v.id, v.rev, v.today = made.id, made.rev, made.today
		}
	}
	for _, c := range rec.clean {
		r.marks <- c.with(v)
	}
	return nil
}

// typed returns the command that parses the answer as the server does.
func typed(ctx context.Context, args []any) redis.Cmder {
	switch args[0] {
	case "zscore":
		return redis.NewFloatCmd(ctx, args...)
	case "hmget":
		return redis.NewSliceCmd(ctx, args...)
	case "hgetall":
		return redis.NewMapStringStringCmd(ctx, args...)
	}
	return redis.NewCmd(ctx, args...)
}

// rest waits until all marks are removed.
func (r *bare) rest() error {
	written := make(chan error)
	r.flush <- written
	return <-written
}

const (
	// cleanEvery, cleanBatch and cleanRows are how the server batches marks.
	cleanEvery = 20 * time.Millisecond
	cleanBatch = 512
	cleanRows  = 16 // commands in one, each with two marks or one task
)

// clean removes marks as the server does: those of 20 ms, at most 512 marks, in one pipeline.
func (r *bare) clean(ctx context.Context) {
	var held [][]any
	var failed error
	write := func() {
		if err := r.write(ctx, held); err != nil {
			failed = err
		}
		held = held[:0]
	}
	tick := time.NewTimer(0)
	for {
		select {
		case <-ctx.Done():
			return
		case args := <-r.marks:
			if len(held) == 0 {
				tick.Reset(cleanEvery)
			}
			if held = append(held, args); 2*len(held) >= cleanBatch {
				write()
			}
		case <-tick.C:
			write()
		case written := <-r.flush:
			for len(r.marks) > 0 {
				held = append(held, <-r.marks)
			}
			write()
			written <- failed
		}
	}
}

// write joins commands that remove marks, and those that end tasks: "evalsha", hash, number of keys, keys, arguments
// that all have, and those of each.
func (r *bare) write(ctx context.Context, held [][]any) error {
	if len(held) == 0 {
		return nil
	}
	pipe := r.redis.Pipeline()
	for _, joined := range []struct {
		sha    string
		common int // how many arguments all have
	}{{script.NotifyDone{}.Call().Script.SHA(), 1}, {script.DirtyClean{}.Call().Script.SHA(), 0}} {
		var all [][]any
		for _, args := range held {
			if args[1] == joined.sha {
				all = append(all, args)
			}
		}
		for some := range slices.Chunk(all, cleanRows) {
			first := 3 + some[0][2].(int) // of the arguments
			var keys, argv []any
			for _, args := range some {
				n := args[2].(int)
				keys, argv = append(keys, args[3:3+n]...), append(argv, args[3+n+joined.common:]...)
			}
			args := append([]any{"evalsha", joined.sha, len(keys)}, keys...)
			args = append(append(args, some[0][first:first+joined.common]...), argv...)
			if err := pipe.Process(ctx, typed(ctx, args)); err != nil {
				return err
			}
		}
	}
	_, err := r.send(ctx, pipe)
	return err
}

func (r *bare) send(ctx context.Context, pipe redis.Pipeliner) ([]redis.Cmder, error) {
	r.sent[0].Add(1)
	r.sent[1].Add(int64(pipe.Len()))
	return pipe.Exec(ctx)
}

// usage returns what this process has used.
func (r *bare) usage(_ context.Context, query string) (subject.Usage, error) {
	if query == "gc=1" {
		runtime.GC()
	}
	u, err := subject.Self()
	u.RoundTrips, u.Commands = r.sent[0].Load(), r.sent[1].Load()
	return u, err
}
