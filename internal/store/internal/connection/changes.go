package connection

import (
	"context"
	"maps"
	"sync"

	"github.com/redis/go-redis/v9"

	"agora/internal/store/internal/pipeline"
)

// Changes counts the changes of a Redis since it last saved its data.
type Changes struct {
	// Known is false if Redis does not report them.
	Known bool
	// of holds the counters of each server by its run_id.
	of map[string]changes
}

// changes are the counters of one server. Keys that expire do not count as changes.
type changes struct{ unsaved, saves, saved string }

// ReadChanges reads the counters. A Redis that forbids INFO is no failure.
func ReadChanges(ctx context.Context, rdb redis.Cmdable) (Changes, error) {
	all := Changes{Known: true, of: map[string]changes{}}
	var mu sync.Mutex // guards all
	err := pipeline.EachMaster(ctx, rdb, func(ctx context.Context, c redis.Cmdable) error {
		text, err := c.Info(ctx).Result()
		if err != nil && !pipeline.Answered(err) {
			return err
		}
		f := parseInfo(text)
		mu.Lock()
		defer mu.Unlock()
		if f["rdb_changes_since_last_save"] == "" {
			all.Known = false
		}
		all.of[f["run_id"]] = changes{
			unsaved: f["rdb_changes_since_last_save"],
			saves:   f["rdb_saves"],
			saved:   f["rdb_last_save_time"],
		}
		return nil
	})
	return all, err
}

// Changed reports whether data were changed, or saved, between two readings. It is false if that is not
// known.
func (c Changes) Changed(later Changes) bool {
	return c.Known && later.Known && !maps.Equal(c.of, later.of)
}
