// Package pipeline sends commands and scripts to Redis. Its pipelines may hold scripts; it combines reads
// of many callers, retries reads once whose connection broke, and counts the commands of each request. It
// knows no key and no script by name.
package pipeline

import (
	"context"
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"
)

// Client is a Redis client that sends pipelines with scripts. It is safe for concurrent use.
type Client struct {
	Redis     redis.UniversalClient
	effects   effects
	coalescer coalescer
}

// NewClient returns a client over rdb, to which it adds hooks. Scripts in readOnly change nothing; those in
// volatile change only the server's own state and no data.
func NewClient(rdb redis.UniversalClient, readOnly, volatile []*Script) *Client {
	e := effects{readOnly: scriptSet(readOnly), volatile: scriptSet(volatile)}
	rdb.AddHook(repeatHook{e})
	rdb.AddHook(usageHook{e})
	return &Client{Redis: rdb, effects: e, coalescer: coalescer{rdb: rdb}}
}

// Load loads scripts into Redis, because a pipeline sends only their hashes.
func (c *Client) Load(ctx context.Context, scripts []*Script) error {
	for _, sc := range scripts {
		if err := c.Redis.ScriptLoad(ctx, sc.text).Err(); err != nil {
			return fmt.Errorf("%s: %w", sc.name, err)
		}
	}
	return nil
}

// Run runs one script in a round trip of its own.
func (c *Client) Run(ctx context.Context, call Caller) *redis.Cmd {
	b := c.Batch()
	cmd := b.Run(ctx, call)
	b.Exec(ctx) // the command has its own error
	return cmd
}

// Script is one Lua script. It is sent by its hash.
type Script struct{ name, text, sha string }

// NewScript returns a script; its name is for errors.
func NewScript(name, text string) *Script {
	return &Script{name: name, text: text, sha: redis.NewScript(text).Hash()}
}

// Text returns the script's source.
func (sc *Script) Text() string { return sc.text }

// SHA returns the hash by which Redis knows the script.
func (sc *Script) SHA() string { return sc.sha }

// Name returns the script's name.
func (sc *Script) Name() string { return sc.name }

// Call is a script with its keys and arguments.
type Call struct {
	Script *Script
	Keys   []string
	Args   []any
}

// Caller is a value that can be converted to a call: a struct of package script, or a call itself.
type Caller interface{ Call() Call }

// Call returns c.
func (c Call) Call() Call { return c }

// Batch is a pipeline that may hold scripts: its methods queue commands, Exec sends them.
type Batch struct {
	redis.Pipeliner
	client *Client
	runs   []scriptRun
}

type scriptRun struct {
	cmd  *redis.Cmd
	call Call
}

// Batch returns an empty pipeline.
func (c *Client) Batch() *Batch { return &Batch{client: c, Pipeliner: c.Redis.Pipeline()} }

// Run queues a script.
func (b *Batch) Run(ctx context.Context, caller Caller) *redis.Cmd {
	call := caller.Call()
	cmd := b.EvalSha(ctx, call.Script.sha, call.Keys, call.Args...)
	b.runs = append(b.runs, scriptRun{cmd, call})
	return cmd
}

// Exec sends the pipeline. Every command has its own error; Exec returns the first, not counting missing
// keys. If Redis has lost a script (after a restart, or on a promoted replica), nothing was done for it,
// and its full text is sent.
func (b *Batch) Exec(ctx context.Context) error {
	if b.coalesces(ctx) {
		return b.client.coalescer.exec(ctx, b)
	}
	return b.send(ctx)
}

func (b *Batch) send(ctx context.Context) error {
	cmds, err := b.Pipeliner.Exec(ctx)
	if err == nil {
		return nil
	}
	for _, r := range b.runs {
		if redis.HasErrorPrefix(r.cmd.Err(), "NOSCRIPT") {
			again := b.client.Redis.Eval(ctx, r.call.Script.text, r.call.Keys, r.call.Args...)
			r.cmd.SetErr(again.Err())
			r.cmd.SetVal(again.Val())
		}
	}
	return FirstError(cmds)
}

// FirstError returns the first error of commands, not counting redis.Nil.
func FirstError(cmds []redis.Cmder) error {
	for _, cmd := range cmds {
		if err := cmd.Err(); err != nil && !IsNil(err) {
			return err
		}
	}
	return nil
}

// IsNil reports whether err says that a command found nothing.
func IsNil(err error) bool { return errors.Is(err, redis.Nil) }
