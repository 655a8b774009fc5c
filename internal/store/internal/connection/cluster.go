package connection

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/store/internal/pipeline"
	"agora/internal/turns"
)

const (
	// slotReload is the interval at which the client reads which master has which slots. MOVED and ASK, and
	// connections that fail, make it read at once.
	slotReload = time.Second
	// mostRedirects is how often the client follows MOVED or ASK for one command, or tries a master to which
	// it cannot connect.
	mostRedirects = 4
)

// newClusterClient returns a client of a cluster. It follows MOVED and ASK, but it never sends a command
// again whose reply was lost.
func newClusterClient(a address, onNode []redis.Hook,
	onConnect func(context.Context, *redis.Conn) error) *redis.ClusterClient {
	o := clusterOptions(a)
	o.OnConnect = onConnect
	o.NewClient = func(each *redis.Options) *redis.Client {
		// These limit what is not a pipeline: a master that has stopped must not delay for longer the
		// connections to it, those of listeners among them, or the client that asks it for the slots.
		each.ReadTimeout, each.WriteTimeout = a.options.ReadTimeout, a.options.WriteTimeout
		node := redis.NewClient(each)
		pauseTurns(node, true)
		for _, hook := range onNode {
			node.AddHook(hook)
		}
		return node
	}
	return redis.NewClusterClient(o)
}

func clusterOptions(a address) *redis.ClusterOptions {
	o := a.options
	return &redis.ClusterOptions{
		Addrs:    slices.Clone(a.hosts), // the client appends to it
		Username: o.Username, Password: o.Password, Protocol: o.Protocol, TLSConfig: o.TLSConfig,
		DialTimeout: o.DialTimeout, DialerRetries: 1,
		// These limit the longest pipelines; clusterHook limits each.
		ReadTimeout: o.ReadTimeout * bulkMost, WriteTimeout: o.WriteTimeout * bulkMost, ContextTimeoutEnabled: true,
		MaxRedirects: mostRedirects, MinRetryBackoff: 10 * time.Millisecond, MaxRetryBackoff: 100 * time.Millisecond,
		PoolSize: o.PoolSize, MinIdleConns: o.MinIdleConns, ConnMaxIdleTime: o.ConnMaxIdleTime,
		ReadBufferSize: o.ReadBufferSize, WriteBufferSize: o.WriteBufferSize,
		ClusterStateReloadInterval: slotReload, DisableRoutingPolicies: true,
	}
}

// clusterHook limits how long commands may take, and makes the client send each command once, because a
// command whose reply was lost may have been executed. It must be the cluster client's last hook.
type clusterHook struct {
	client  *redis.ClusterClient
	timeout time.Duration
}

// once is a command that the client does not send again after its connection failed.
type once struct{ redis.Cmder }

// NoRetry implements redis.Cmder.
func (once) NoRetry() bool { return true }

// DialHook implements redis.Hook.
func (*clusterHook) DialHook(next redis.DialHook) redis.DialHook { return next }

// ProcessHook implements redis.Hook.
func (h *clusterHook) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		ctx, done := h.limit(ctx, 1)
		defer done()
		return h.settled(ctx, []redis.Cmder{cmd}, func(some []redis.Cmder) error {
			err := next(ctx, once{some[0]})
			some[0].SetErr(err)
			return err
		})
	}
}

// ProcessPipelineHook implements redis.Hook.
func (h *clusterHook) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		ctx, done := h.limit(ctx, len(cmds))
		defer done()
		if cmds[0].Name() == "multi" { // its replies are read differently
			return next(ctx, cmds)
		}
		return h.settled(ctx, cmds, func(some []redis.Cmder) error {
			single := make([]redis.Cmder, len(some))
			for i, cmd := range some {
				single[i] = once{cmd}
			}
			return next(ctx, single)
		})
	}
}

// limit returns a context that limits n commands, and pauses the caller's turn until done is called: those of each node
// have turns of their own.
func (h *clusterHook) limit(ctx context.Context, n int) (_ context.Context, done func()) {
	limited, cancel := ctx, func() {}
	if h.timeout > 0 {
		limited, cancel = context.WithTimeout(ctx, pipelineTimeout(h.timeout, n))
	}
	turn := turns.From(ctx)
	turn.Pause()
	return limited, func() {
		cancel()
		turn.Resume(ctx)
	}
}

const (
	// firstSettle is the pause before refused commands are sent again; it doubles up to lastSettle.
	firstSettle = 10 * time.Millisecond
	lastSettle  = 80 * time.Millisecond
	// longestSettle ends that if the address turns off all timeouts.
	longestSettle = time.Minute
)

// settled sends commands, and again those that were refused because slots are moving or a master is being
// replaced, which are not executed, until ctx is done. It returns the first error.
func (h *clusterHook) settled(ctx context.Context, cmds []redis.Cmder, send func([]redis.Cmder) error) error {
	pause, until := firstSettle, time.Now().Add(longestSettle)
	for some := cmds; ; pause = min(2*pause, lastSettle) {
		if err := send(some); err == nil {
			break
		}
		var again []redis.Cmder
		for _, cmd := range some {
			switch err := cmd.Err(); {
			case moving(err):
				again = append(again, cmd)
			case err != nil && !pipeline.Answered(err):
				h.client.ReloadState(context.WithoutCancel(ctx)) // starts it
			}
		}
		if len(again) == 0 || time.Now().After(until) || !pauseFor(ctx, pause) {
			break
		}
		h.client.ReloadState(context.WithoutCancel(ctx))
		some = again
	}
	for _, cmd := range cmds {
		if err := cmd.Err(); err != nil {
			return err
		}
	}
	return nil
}

// moving reports whether err says that a command was not executed because slots are moving or a master is
// being replaced. A script fails in this way before its first write: see docs/architecture/writing.md.
func moving(err error) bool {
	for _, word := range []string{"TRYAGAIN", "CLUSTERDOWN", "MASTERDOWN", "LOADING", "READONLY", "MOVED", "ASK"} {
		if redis.HasErrorPrefix(err, word) {
			return true
		}
	}
	return errors.Is(err, pipeline.ErrReplica) || pipeline.RefusedScript(err)
}

// pauseFor reports whether ctx still had time left after the pause.
func pauseFor(ctx context.Context, pause time.Duration) bool {
	if end, ok := ctx.Deadline(); ok && time.Until(end) < 2*pause {
		return false
	}
	t := time.NewTimer(pause)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// node is one server that holds data: the only one, or a master of a cluster.
type node struct {
	addr  string // in a cluster, "" otherwise
	redis redis.Cmdable
}

// masters returns the servers that hold the data.
func masters(ctx context.Context, rdb redis.Cmdable) ([]node, error) {
	var mu sync.Mutex
	var all []node
	err := pipeline.EachMaster(ctx, rdb, func(_ context.Context, c redis.Cmdable) error {
		n := node{redis: c}
		if _, is := rdb.(*redis.ClusterClient); is {
			n.addr = c.(*redis.Client).Options().Addr
		}
		mu.Lock()
		defer mu.Unlock()
		all = append(all, n)
		return nil
	})
	if err == nil && len(all) == 0 {
		err = errors.New("the cluster has no masters")
	}
	if err != nil {
		return nil, fmt.Errorf("find the masters of the cluster: %w", err)
	}
	return all, nil
}

// newSentinelClient returns a client of the master that Sentinels name. It connects to another one when they
// name it.
func newSentinelClient(a address) *redis.Client { return redis.NewFailoverClient(sentinelOptions(a)) }

func sentinelOptions(a address) *redis.FailoverOptions {
	o := a.options
	return &redis.FailoverOptions{
		MasterName: a.master, SentinelAddrs: a.hosts, SentinelUsername: a.sentinelUser, SentinelPassword: a.sentinelPassword,
		Username: o.Username, Password: o.Password, DB: o.DB, Protocol: o.Protocol, TLSConfig: o.TLSConfig,
		DialTimeout: o.DialTimeout, DialerRetries: 1, ReadTimeout: o.ReadTimeout, WriteTimeout: o.WriteTimeout,
		ContextTimeoutEnabled: true, MaxRetries: -1, OnConnect: o.OnConnect,
		PoolSize: o.PoolSize, MinIdleConns: o.MinIdleConns, ConnMaxIdleTime: o.ConnMaxIdleTime,
		ReadBufferSize: o.ReadBufferSize, WriteBufferSize: o.WriteBufferSize,
	}
}

// pausingTurns makes the nodes' clients pause the turns of their callers.
func pausingTurns(c *redis.ClusterClient) *redis.ClusterClient {
	c.OnNewNode(func(node *redis.Client) { pauseTurns(node, true) })
	return c
}

// newReplicaClient returns a client that sends pipelines of reads to masters and replicas alike, and all
// others to masters.
func newReplicaClient(a address) *redis.ClusterClient {
	if a.cluster {
		o := clusterOptions(a)
		o.RouteRandomly = true
		return pausingTurns(redis.NewClusterClient(o))
	}
	o := sentinelOptions(a)
	o.OnConnect, o.RouteRandomly, o.MaxRetries = nil, true, 0
	return pausingTurns(redis.NewFailoverClusterClient(o))
}
