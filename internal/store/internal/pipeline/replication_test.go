package pipeline

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// Pipelines with a script that writes end with a WAIT on the same connection; others are sent as they are.
func TestReplicationWaitsForWrites(t *testing.T) {
	write, read := NewScript("write", "return 1"), NewScript("read", "return 2")
	skips := scriptSet([]*Script{read})
	for _, c := range []struct {
		name   string
		script form
		acks   int64
		fails  bool // WAIT
		refuse error
		want   error
		waits  bool
	}{
		{name: "acknowledged", script: write.alone(), acks: 1, waits: true},
		{name: "not acknowledged", script: write.alone(), want: ErrNotReplicated, waits: true},
		{name: "no answer to WAIT", script: write.alone(), acks: 1, fails: true, want: ErrNotReplicated, waits: true},
		{name: "refused", script: write.alone(), refuse: redis.ErrPoolTimeout, want: redis.ErrPoolTimeout, waits: true},
		{name: "a script that does not wait", script: read.alone()},
		{name: "a script that does not wait, in a cluster", script: read.inCluster()},
		{name: "a script in a cluster", script: write.inCluster(), acks: 1, waits: true},
	} {
		h := &Replication{Timeout: time.Second}
		h.skips.Store(&skips)
		get := redis.NewStringCmd(t.Context(), "get", "k")
		run := redis.NewCmd(t.Context(), "evalsha", c.script.sha, 1, "k")
		var sent []string
		send := h.ProcessPipelineHook(func(_ context.Context, cmds []redis.Cmder) error {
			for _, cmd := range cmds {
				sent = append(sent, cmd.Name())
			}
			run.SetErr(c.refuse)
			if wait, is := cmds[len(cmds)-1].(*redis.IntCmd); is {
				wait.SetVal(c.acks)
				if c.fails {
					wait.SetErr(context.DeadlineExceeded)
				}
			}
			return c.refuse
		})
		err := send(t.Context(), []redis.Cmder{get, run})
		if !errors.Is(err, c.want) || !errors.Is(run.Err(), c.want) || get.Err() != nil {
			t.Errorf("%s: %v, the script's error is %v, that of the read %v; want %v", c.name, err, run.Err(), get.Err(),
				c.want)
		}
		if waits := sent[len(sent)-1] == "wait"; waits != c.waits {
			t.Errorf("%s: sent %v; want WAIT: %v", c.name, sent, c.waits)
		}
	}
	if !Unavailable(ErrNotReplicated) {
		t.Error("ErrNotReplicated is not temporary")
	}
}
