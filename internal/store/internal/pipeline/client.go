// Package pipeline sends commands and scripts to Redis. Its pipelines may hold scripts; it combines reads
// of many callers, retries reads once whose connection broke, and counts the commands of each request. It
// knows no key and no script by name.
package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/redis/go-redis/v9"
)

// Client is a Redis client that sends pipelines with scripts. It is safe for concurrent use.
type Client struct {
	// Redis is a redis.UniversalClient. No field or method of what other packages use has that type, or leads to it:
	// each of them would compile some 1,700 methods of go-redis, which takes a second.
	Redis redis.Cmdable
	// OneSlot is whether all keys of a script must be in one slot, as in a cluster.
	OneSlot   bool
	effects   effects
	coalescer coalescer
	cluster   bool
	replicas  redis.Cmdable // serves reads, too; nil if there is none
}

// Options say what a client must know of its scripts and its Redis.
type Options struct {
	// ReadOnly are the scripts that change nothing, Volatile those that change only the server's own state
	// and no data. Derived are those whose effects can be repeated: they do not wait for replicas.
	ReadOnly, Volatile, Derived []*Script
	// Cluster sends scripts in the form for clusters.
	Cluster bool
	// Replicas, if not nil, is a client that sends reads to replicas, too.
	Replicas redis.Cmdable
	// Replication, if not nil, makes writes wait for replicas. It is a hook of the client already, or of the
	// clients of a cluster's nodes.
	Replication *Replication
}

// NewClient returns a client over rdb, to which it adds hooks.
func NewClient(rdb redis.Cmdable, o Options) *Client {
	e := effects{readOnly: scriptSet(o.ReadOnly), volatile: scriptSet(o.Volatile)}
	masters := Universal(rdb)
	masters.AddHook(repeatHook{e})
	masters.AddHook(usageHook{e})
	masters.AddHook(rawHook{})
	if o.Replication != nil {
		skips := scriptSet(slices.Concat(o.ReadOnly, o.Volatile, o.Derived))
		o.Replication.skips.Store(&skips)
	}
	if o.Replicas != nil {
		replicas := Universal(o.Replicas)
		replicas.AddHook(masterHook{e, rdb})
		replicas.AddHook(usageHook{e})
		replicas.AddHook(rawHook{})
	}
	return &Client{Redis: rdb, effects: e, coalescer: coalescer{rdb: rdb}, cluster: o.Cluster,
		OneSlot: o.Cluster, replicas: o.Replicas}
}

// Universal returns a client of Redis with all that it can do.
func Universal(rdb redis.Cmdable) redis.UniversalClient { return rdb.(redis.UniversalClient) }

// Load loads those scripts into Redis that it does not have yet, because a pipeline sends only their hashes. The masters
// of a cluster are not asked which they have: go-redis loses the error of a hook there.
func (c *Client) Load(ctx context.Context, scripts []*Script) error {
	there := make([]bool, len(scripts))
	if !c.cluster {
		hashes := make([]string, len(scripts))
		for i, sc := range scripts {
			hashes[i] = sc.SHA()
		}
		var err error
		if there, err = c.Redis.ScriptExists(ctx, hashes...).Result(); err != nil {
			return err
		}
	}
	for i, sc := range scripts {
		if there[i] {
			continue
		}
		if err := c.Redis.ScriptLoad(ctx, c.form(sc).text).Err(); err != nil {
			return fmt.Errorf("%s: %w", sc.name, err)
		}
	}
	return nil
}

// form returns the script in the form that this client sends.
func (c *Client) form(sc *Script) form {
	if c.cluster {
		return sc.inCluster()
	}
	return sc.alone()
}

// Run runs one script in a round trip of its own.
func (c *Client) Run(ctx context.Context, call Caller) *redis.Cmd {
	b := c.Batch()
	cmd := b.Run(ctx, call)
	b.Exec(ctx) // the command has its own error
	return cmd
}

// Script is one Lua script. It is sent by its hash.
type Script struct {
	name             string
	alone, inCluster func() form // what is sent to one Redis, and to a cluster
}

// form is the text of a script, and its hash.
type form struct{ text, sha string }

func newForm(text string) form { return form{text, redis.NewScript(text).Hash()} }

// NewScript returns a script; its name is for errors.
func NewScript(name, text string) *Script { return ScriptOf(name, func() string { return text }) }

// ScriptOf returns the script with the text that a function returns. It is called when the script is first used.
func ScriptOf(name string, text func() string) *Script {
	return &Script{
		name: name, alone: sync.OnceValue(func() form { return newForm(text()) }),
		inCluster: sync.OnceValue(func() form { return newForm(clusterText(text())) }),
	}
}

// clusterText returns a script's form for clusters. First it reads two keys of its slot that do not exist:
// while the slot is being moved this fails on both masters, before the script has written anything. Otherwise
// the script might fail after a write, where it first meets a key that has moved; or, if its declared keys
// are new, Redis would send it to the new master (ASK), where it would not see the other keys of the slot.
// Messages go to the master of the channel's slot only.
func clusterText(text string) string {
	return "redis.call(\"EXISTS\", KEYS[1] .. \":moving\", KEYS[1] .. \":moved\")\n" +
		strings.ReplaceAll(text, `redis.call("PUBLISH", `, `redis.call("SPUBLISH", `)
}

// Text returns the script's source.
func (sc *Script) Text() string { return sc.alone().text }

// SHA returns the hash by which Redis knows the script.
func (sc *Script) SHA() string { return sc.alone().sha }

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
	client       *Client
	runs         []scriptRun
	fromReplicas bool
	entries      int // see Entries
	shared       map[string]any
}

type scriptRun struct {
	cmd  *redis.Cmd
	call Call
	text string
}

// Batch returns an empty pipeline.
func (c *Client) Batch() *Batch { return &Batch{client: c, Pipeliner: c.Redis.Pipeline()} }

// OneSlot reports whether all keys of a script must be in one slot.
func (b *Batch) OneSlot() bool { return b.client.OneSlot }

// Run queues a script.
func (b *Batch) Run(ctx context.Context, caller Caller) *redis.Cmd {
	call := caller.Call()
	sent := b.client.form(call.Script)
	cmd := b.EvalSha(ctx, sent.sha, call.Keys, call.Args...)
	b.runs = append(b.runs, scriptRun{cmd, call, sent.text})
	return cmd
}

// Queue queues a script in a transaction, which cannot be sent again if Redis does not know it: its full text is sent.
func (c *Client) Queue(ctx context.Context, tx redis.Pipeliner, caller Caller) {
	call := caller.Call()
	tx.Eval(ctx, c.form(call.Script).text, call.Keys, call.Args...)
}

// Exec sends the pipeline. Every command has its own error; Exec returns the first, not counting missing
// keys. If Redis has lost a script (after a restart, or on a promoted replica), nothing was done for it,
// and its full text is sent.
func (b *Batch) Exec(ctx context.Context) error {
	ctx = withEntries(ctx, b.entries)
	if b.coalesces(ctx) {
		return b.client.coalescer.exec(ctx, b)
	}
	return b.send(ctx)
}

func (b *Batch) send(ctx context.Context) error {
	cmds, err := b.queue(ctx).Exec(ctx)
	if err == nil {
		return nil
	}
	b.sendTexts(ctx)
	return FirstError(cmds)
}

// sendTexts sends the full texts of the scripts that Redis did not know.
func (b *Batch) sendTexts(ctx context.Context) {
	pipe := b.client.Redis.Pipeline()
	var unknown []*redis.Cmd
	var again []*redis.Cmd
	for _, r := range b.runs {
		if redis.HasErrorPrefix(r.cmd.Err(), "NOSCRIPT") {
			unknown = append(unknown, r.cmd)
			again = append(again, pipe.Eval(ctx, r.text, r.call.Keys, r.call.Args...))
		}
	}
	if len(unknown) == 0 {
		return
	}
	_, _ = pipe.Exec(ctx) // each command has its own error
	for i, cmd := range unknown {
		cmd.SetErr(again[i].Err())
		cmd.SetVal(again[i].Val())
	}
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

// UnlessNil returns err, or nil if it says only that a command found nothing.
func UnlessNil(err error) error {
	if IsNil(err) {
		return nil
	}
	return err
}
