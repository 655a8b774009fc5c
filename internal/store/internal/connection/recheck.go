package connection

import (
	"context"
	"crypto/rand"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
)

// A replica that takes the place of its master may lack the last writes, and other masters may know of these:
// an index may name a topic that is gone, or a topic lack the comments that its author's list has. So the data
// are checked and repaired then, by one of the processes.

// recheckPoll is how often a process looks whether another has finished.
const recheckPoll = 5 * time.Second

// Recheck lets one of several processes check the data after a fail-over.
type Recheck struct {
	Redis redis.Cmdable
	Now   func() time.Time
}

// Do calls check, unless another process does so for the same fail-over; then it waits until that has
// finished. since is when this process noticed the fail-over.
func (r Recheck) Do(ctx context.Context, since forum.Time, check func(context.Context) error) error {
	for {
		held, value, err := r.take(ctx)
		if err != nil {
			return err
		}
		if held {
			return r.hold(ctx, value, check)
		}
		if f := strings.Fields(value); len(f) == 3 { // it is done
			if forum.Time(record.Atoi(f[1])) >= since {
				return nil
			}
			// It began before this process noticed the fail-over, and may have missed it. If another process takes
			// the lease now, both check, which is harmless.
			if err := r.Redis.Del(ctx, key.Recheck).Err(); err != nil {
				return err
			}
			continue
		}
		select {
		case <-time.After(recheckPoll):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// take takes the lease, or returns the value of its holder.
func (r Recheck) take(ctx context.Context) (held bool, value string, err error) {
	mine := rand.Text() + " " + strconv.FormatInt(r.Now().UnixMilli(), 10)
	pipe := r.Redis.Pipeline()
	taken := pipe.SetNX(ctx, key.Recheck, mine, key.RecheckLife)
	present := pipe.Get(ctx, key.Recheck)
	if _, err := pipe.Exec(ctx); err != nil && !pipeline.IsNil(err) {
		return false, "", err
	}
	if taken.Val() {
		return true, mine, nil
	}
	return false, present.Val(), nil
}

// hold renews the lease while check runs, and marks it as done.
func (r Recheck) hold(ctx context.Context, value string, check func(context.Context) error) error {
	checking, end := context.WithCancel(ctx)
	renewed := make(chan struct{})
	go func() { // ends with checking
		defer close(renewed)
		tick := time.NewTicker(key.RecheckLife / 3)
		defer tick.Stop()
		for {
			select {
			case <-checking.Done():
				return
			case <-tick.C:
				_ = r.Redis.Set(checking, key.Recheck, value, key.RecheckLife).Err() // or the next time
			}
		}
	}()
	err := check(checking)
	end()
	<-renewed
	if err != nil {
		_ = r.Redis.Del(context.WithoutCancel(ctx), key.Recheck).Err() // or it expires
		return err
	}
	return r.Redis.Set(ctx, key.Recheck, value+" done", key.RecheckLife).Err()
}
