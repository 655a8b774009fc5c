package main

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/redis/go-redis/v9"

	"agora/bench/document"
	"agora/bench/subject"
	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/script"
)

// recording is what the server sends to Redis for one reply.
type recording struct {
	steps  [][]command // one pipeline each
	create int         // the step that posts the comment
	clean  []command   // removes the marks and ends tasks; the server sends it later, batched
}

// command is a Redis command. Arguments that differ between replies are dynamic.
type command []any

type dynamic func(values) any

// values are the parts that differ between replies.
type values struct {
	now, id, rev int64
	today        string // number of the topic's comments of the day
}

// with returns the arguments for one reply.
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

// recorder is a hook that records pipelines: those of requests, and those that the server sends by itself.
type recorder struct {
	mu    sync.Mutex
	steps [][]redis.Cmder
	own   chan []redis.Cmder
}

// DialHook implements redis.Hook.
func (*recorder) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) { return next(ctx, network, addr) }
}

// ProcessHook implements redis.Hook.
func (r *recorder) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		err := next(ctx, cmd)
		r.note(ctx, []redis.Cmder{cmd})
		return err
	}
}

// ProcessPipelineHook implements redis.Hook.
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
	copies := make([]redis.Cmder, len(cmds))
	for i, cmd := range cmds {
		copies[i] = keep(ctx, cmd)
	}
	if store.UsageFrom(ctx) == nil {
		r.own <- copies
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.steps = append(r.steps, copies)
}

// keep copies a command: the store reuses arguments once it has the answer.
func keep(ctx context.Context, cmd redis.Cmder) redis.Cmder {
	args := slices.Clone(cmd.Args())
	for i, a := range args {
		if p, ok := a.(*string); ok {
			args[i] = *p
		}
	}
	clone := redis.NewCmd(ctx, args...)
	if c, ok := cmd.(*redis.Cmd); ok {
		clone.SetVal(c.Val())
	}
	return clone
}

// marks waits for what the server sends by itself after a reply.
func (r *recorder) marks(ctx context.Context) ([]redis.Cmder, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	select {
	case cmds := <-r.own:
		return cmds, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("the server does not remove marks: %w", ctx.Err())
	}
}

// record posts one reply of each client to each of its topics through a server in this process, and records the
// commands.
func (s *site) record(ctx context.Context, url string, clients int) ([]recording, error) {
	conn, err := subject.Connect(ctx, url)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	server, err := subject.Start(ctx, subject.Agora, conn)
	if err != nil {
		return nil, err
	}
	defer server.Close()
	r := &recorder{own: make(chan []redis.Cmder, 1)}
	conn.AddHook(r)
	c := newCaller(server.HTTP, clients, s.requests(document.Reply, clients))
	defer c.close()
	var all []recording
	for i := range clients {
		for n := range topicsPerClient {
			r.steps = nil
			if err := c.call(i, n); err != nil {
				return nil, err
			}
			clean, err := r.marks(ctx)
			if err != nil {
				return nil, err
			}
			rec, err := compile(s.topics[i][(i+n)%topicsPerClient], r.steps, clean)
			if err != nil {
				return nil, err
			}
			all = append(all, rec)
		}
	}
	return all, nil
}

// compile finds the parts that differ between replies in the commands of one.
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
			}
		}
	}
	if rec.create < 0 || len(clean) == 0 {
		return rec, fmt.Errorf("no reply in %v, or no mark in %v", steps, clean)
	}
	for _, cmds := range steps {
		var step []command
		for _, cmd := range cmds {
			step = append(step, template(topic, was, cmd.Args()))
		}
		rec.steps = append(rec.steps, step)
	}
	for _, cmd := range clean {
		rec.clean = append(rec.clean, template(topic, was, cmd.Args()))
	}
	return rec, nil
}

// created parses the result of the script that posts a comment.
func created(c *redis.Cmd) (values, error) {
	made, err := script.CommentCreate{}.Result(c.Result())
	if err != nil {
		return values{}, err
	}
	return values{
		id: int64(made.ID), rev: made.Topic.Rev, now: int64(made.Topic.Active), today: made.Topic.DayComments,
	}, nil
}

// template replaces the parts that belong to one reply by dynamic arguments: times since its posting, its id alone,
// in keys and in members of indexes, the topic's revision, which follows the topic's id, and its comments of the day,
// which come before the last score, that of the comment.
func template(topic forum.TopicID, was values, args []any) command {
	c := make(command, len(args))
	ofDay := slices.ContainsFunc(
		args,
		func(a any) bool { s, ok := a.(string); return ok && strings.HasPrefix(s, "{ix:d") },
	)
	for i, a := range args {
		c[i] = a
		switch a := a.(type) {
		case int64:
			follows := i > 0 && (args[i-1] == any(int64(topic)) || args[i-1] == any("t:"+strconv.FormatInt(int64(topic), 10)))
			switch {
			case follows && a == was.rev:
				c[i] = dynamic(func(v values) any { return v.rev })
			case a == was.id:
				c[i] = dynamic(func(v values) any { return v.id })
			case a >= was.now && a < was.now+10_000:
				c[i] = dynamic(func(v values) any { return v.now })
			}
		case string:
			if prefix, ok := ofComment(a, was.id); ok {
				c[i] = dynamic(func(v values) any { return prefix + strconv.FormatInt(v.id, 10) })
			} else if a == member(was) {
				c[i] = dynamic(func(v values) any { return member(v) })
			} else if ofDay && i == len(args)-2 {
				c[i] = dynamic(func(v values) any { return v.today })
			} else if n, err := strconv.ParseInt(a, 10, 64); err == nil && n >= was.now && n < was.now+10_000 {
				c[i] = dynamic(func(v values) any { return strconv.FormatInt(v.now, 10) })
			}
		}
	}
	return c
}

// ofComment returns what precedes the id in a name of a comment: in keys, marks and tasks.
func ofComment(name string, id int64) (prefix string, ok bool) {
	prefix, ok = strings.CutSuffix(name, strconv.FormatInt(id, 10))
	return prefix, ok &&
		(strings.HasSuffix(prefix, "c:") || strings.HasSuffix(prefix, "c") && !strings.HasSuffix(prefix, "ix:c"))
}

// member returns a comment's member in indexes, as the store writes it.
func member(v values) string { return fmt.Sprintf("%011x%08x", v.now, v.id) }
