// Package pipeline sends commands and scripts to Redis: in pipelines that may hold scripts,
// reads of many callers together, reads once more when their connection broke, and counts
// what each request asked for. It knows no key and no script by name.
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

// NewClient returns a client over rdb, to which it adds hooks. Scripts in readOnly change
// nothing; those in volatile change only what the server keeps for itself, and no data.
func NewClient(rdb redis.UniversalClient, readOnly, volatile []*Script) *Client {
	e := effects{readOnly: scriptSet(readOnly), volatile: scriptSet(volatile)}
	rdb.AddHook(repeatHook{e})
	rdb.AddHook(usageHook{e})
	return &Client{Redis: rdb, effects: e, coalescer: coalescer{rdb: rdb}}
}

// Load makes scripts known to Redis, because a pipeline sends only their hashes.
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

// Text is the script's source.
func (sc *Script) Text() string { return sc.text }

// SHA is the hash by which Redis knows the script.
func (sc *Script) SHA() string { return sc.sha }

// Name is the script's name.
func (sc *Script) Name() string { return sc.name }

// Call is a script with its keys and arguments.
type Call struct {
	Script *Script
	Keys   []string
	Args   []any
}

// Caller is what can be laid out as a call: a struct of package script, or a call itself.
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

// Exec sends the pipeline. Every command has its own error; the first is returned, a
// missing key being none. A Redis that has forgotten a script (a restart, a promoted
// replica) has done nothing for it: it is sent again whole.
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

// FirstError is the first error of commands; that there is nothing is none.
func FirstError(cmds []redis.Cmder) error {
	for _, cmd := range cmds {
		if err := cmd.Err(); err != nil && !IsNil(err) {
			return err
		}
	}
	return nil
}

// IsNil reports whether a command found nothing.
func IsNil(err error) bool { return errors.Is(err, redis.Nil) }
