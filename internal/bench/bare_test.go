package bench

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"

	"github.com/redis/go-redis/v9"
)

// recording is what the server sends to Redis for one reply.
type recording struct {
	steps  [][]command // one pipeline each
	create int         // the step that posts the comment
	clean  command     // takes the marks away; the server sends it later, with others
}

func (r recording) roundTrips() int { return len(r.steps) }

// command is a Redis command. Arguments that differ from reply to reply are dynamic.
type command []any

type dynamic func(values) any

// values are what differs from reply to reply.
type values struct{ now, id, rev int64 }

// with gives the arguments for one reply.
func (c command) with(v values) []any {
	args := make([]any, len(c))
	for i, a := range c {
		if f, ok := a.(dynamic); ok {
			a = f(v)
		}
		args[i] = a
	}
	return args
}

// recorder is a hook that notes pipelines: those of requests, and those that the
// server sends by itself.
type recorder struct {
	mu    sync.Mutex
	steps [][]redis.Cmder
	own   chan []redis.Cmder
}

func (*recorder) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) { return next(ctx, network, addr) }
}

func (r *recorder) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		err := next(ctx, cmd)
		r.note(ctx, []redis.Cmder{cmd})
		return err
	}
}

func (r *recorder) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		err := next(ctx, cmds)
		r.note(ctx, cmds)
		return err
	}
}

func (r *recorder) note(ctx context.Context, cmds []redis.Cmder) {
	if name := cmds[0].Name(); name == "hello" || name == "client" { // a new connection
		return
	}
	if store.TallyFrom(ctx) == nil {
		r.own <- cmds
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.steps = append(r.steps, cmds)
}

// record has each client post one reply to each of its topics through a server
// of its own, and notes the commands.
func (s *site) record() []recording {
	s.b.Helper()
	rdb := client(s.b, s.server)
	st, err := store.Open(background, rdb, store.Layout{})
	if err != nil {
		s.b.Fatal(err)
	}
	defer st.Close()
	r := &recorder{own: make(chan []redis.Cmder, 1)}
	rdb.AddHook(r)
	c := s.connectTo(s.serve(st))
	var all []recording
	for i := range clients {
		for n, topic := range s.topics[i] {
			r.steps = nil
			if err := c.reply(i, n); err != nil {
				s.b.Fatal(err)
			}
			rec, err := compile(topic, r.steps, <-r.own)
			if err != nil {
				s.b.Fatal(err)
			}
			all = append(all, rec)
		}
	}
	return all
}

// compile finds out what in the commands of a reply differs from reply to reply.
func compile(topic forum.TopicID, steps [][]redis.Cmder, clean []redis.Cmder) (recording, error) {
	rec := recording{create: -1}
	var was values
	for i, cmds := range steps {
		for _, cmd := range cmds {
			if c, ok := cmd.(*redis.Cmd); ok && strings.Contains(fmt.Sprint(cmd.Args()), content) {
				var err error
				if was, err = created(c); err != nil || len(cmds) != 1 {
					return rec, fmt.Errorf("step %d, %v: %w", i, cmds, err)
				}
				rec.create = i
				was.now = created64(cmd.Args())
			}
		}
	}
	if rec.create < 0 || len(clean) != 1 {
		return rec, fmt.Errorf("no reply in %v, or no mark in %v", steps, clean)
	}
	for _, cmds := range steps {
		var step []command
		for _, cmd := range cmds {
			step = append(step, template(topic, was, cmd.Args()))
		}
		rec.steps = append(rec.steps, step)
	}
	rec.clean = template(topic, was, clean[0].Args())
	return rec, nil
}

// created reads what the script that posts a comment returned: new, id and the
// topic's revision among others.
func created(c *redis.Cmd) (values, error) {
	reply, err := c.Slice()
	if err != nil {
		return values{}, err
	}
	id, _ := reply[1].(int64)
	text, _ := reply[2].(string)
	rev, err := strconv.ParseInt(text, 10, 64)
	return values{id: id, rev: rev}, err
}

// created64 is the time of posting: the latest among the arguments in milliseconds.
func created64(args []any) (latest int64) {
	for _, a := range args {
		if n, ok := a.(int64); ok {
			latest = max(latest, n)
		}
	}
	return latest
}

// template puts dynamic arguments into the place of those that belonged to one
// reply: times since its posting, its id alone, in keys and in members of
// indexes, and the topic's revision, which follows the topic's id.
func template(topic forum.TopicID, was values, args []any) command {
	c := make(command, len(args))
	for i, a := range args {
		c[i] = a
		switch a := a.(type) {
		case int64:
			switch {
			case i > 0 && (args[i-1] == any(int64(topic)) || args[i-1] == any("t:"+strconv.FormatInt(int64(topic), 10))):
				c[i] = dynamic(func(v values) any { return v.rev })
			case a == was.id:
				c[i] = dynamic(func(v values) any { return v.id })
			case a >= was.now && a < was.now+10_000:
				c[i] = dynamic(func(v values) any { return v.now })
			}
		case string:
			if prefix, ok := strings.CutSuffix(a, "c:"+strconv.FormatInt(was.id, 10)); ok {
				c[i] = dynamic(func(v values) any { return prefix + "c:" + strconv.FormatInt(v.id, 10) })
			} else if a == member(was) {
				c[i] = dynamic(func(v values) any { return member(v) })
			}
		}
	}
	return c
}

// member is how the store writes a comment into indexes.
func member(v values) string { return fmt.Sprintf("%011x%08x", v.now, v.id) }

// bare replies without the server.
type bare struct {
	redis    *redis.Client
	recorded []recording
	marks    chan []any // arguments of commands that take marks away
	flush    chan chan error
}

func newBare(b *testing.B, rdb *redis.Client, recorded []recording) *bare {
	r := &bare{redis: rdb, recorded: recorded, marks: make(chan []any, 2048), flush: make(chan chan error)}
	ctx, cancel := context.WithCancel(background)
	var wg sync.WaitGroup
	wg.Go(func() { r.clean(ctx) }) // ends with the benchmark
	b.Cleanup(func() {
		cancel()
		wg.Wait()
	})
	return r
}

// post sends all steps of a reply and gives the arguments that take its marks away.
func (r *bare) post(client, n int) ([]any, error) {
	rec := r.recorded[client*topicsPerClient+n%topicsPerClient]
	v := values{now: time.Now().UnixMilli()}
	for i, step := range rec.steps {
		pipe := r.redis.Pipeline()
		for _, c := range step {
			pipe.Process(background, typed(c.with(v)))
		}
		cmds, err := pipe.Exec(background)
		if err != nil {
			return nil, err
		}
		if i == rec.create {
			made, err := created(cmds[0].(*redis.Cmd))
			if err != nil {
				return nil, err
			}
			v.id, v.rev = made.id, made.rev
		}
	}
	return rec.clean.with(v), nil
}

// typed makes the command that reads the answer as the server does.
func typed(args []any) redis.Cmder {
	switch args[0] {
	case "zscore":
		return redis.NewFloatCmd(background, args...)
	case "hmget":
		return redis.NewSliceCmd(background, args...)
	case "hgetall":
		return redis.NewMapStringStringCmd(background, args...)
	}
	return redis.NewCmd(background, args...)
}

func (r *bare) reply(client, n int) error {
	marks, err := r.post(client, n)
	if err == nil {
		r.marks <- marks
	}
	return err
}

func (r *bare) replyAlone(client, n int) error {
	marks, err := r.post(client, n)
	if err != nil {
		return err
	}
	pipe := r.redis.Pipeline()
	pipe.Process(background, typed(marks))
	_, err = pipe.Exec(background)
	return err
}

// rest waits until all marks are written.
func (r *bare) rest() error {
	written := make(chan error)
	r.flush <- written
	return <-written
}

// clean takes marks away as the server does: what has come in 20 ms, at most 512
// marks, in one pipeline with one command for each partition.
func (r *bare) clean(ctx context.Context) {
	var held [][]any
	var failed error
	write := func() {
		if err := r.write(held); err != nil {
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
				tick.Reset(20 * time.Millisecond)
			}
			if held = append(held, args); 2*len(held) >= 512 {
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

// write joins the commands of each partition, which are "evalsha", hash, number
// of keys, marks, entities; marks and revisions of the entities.
func (r *bare) write(held [][]any) error {
	if len(held) == 0 {
		return nil
	}
	keys, argv := map[any][]any{}, map[any][]any{}
	for _, args := range held {
		n, of := args[2].(int), args[3]
		keys[of] = append(keys[of], args[4:3+n]...)
		argv[of] = append(argv[of], args[3+n:]...)
	}
	pipe := r.redis.Pipeline()
	for of := range keys {
		args := append([]any{held[0][0], held[0][1], 1 + len(keys[of]), of}, keys[of]...)
		pipe.Process(background, typed(append(args, argv[of]...)))
	}
	_, err := pipe.Exec(background)
	return err
}
