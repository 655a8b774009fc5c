package division

import (
	"context"
	"fmt"
	"slices"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// Index is the index of the front or of a category.
type Index struct {
	// Name is "front", or "c" and the id of the category.
	Name string
	// Topics is how many topics it holds.
	Topics int
	// Phase is how far its division is.
	Phase Phase
	// Copied is how many topics are in the parts, while it is being divided.
	Copied int
	// GivenUp reports whether the task that divides it was given up, after failing many times. A check with repair
	// makes it go on.
	GivenUp bool
}

// Divided reports whether only the parts of the index are left.
func (x Index) Divided() bool { return x.Phase == Divided }

// Indexes reads the indexes that can be divided and have more topics than a number, or are divided.
func (c *Cache) Indexes(ctx context.Context, above int) ([]Index, error) {
	if err := c.Refresh(ctx); err != nil {
		return nil, fmt.Errorf("read which indexes are divided: %w", err)
	}
	ids, err := c.Redis.ZRange(ctx, key.Categories, 0, -1).Result()
	if err != nil {
		return nil, fmt.Errorf("read all categories: %w", err)
	}
	containers := []key.Container{key.FrontContainer}
	for _, id := range ids {
		containers = append(containers, key.CategoryContainer(forum.CategoryID(record.Atoi(id))))
	}
	view, pipe := c.View(ctx), c.Redis.Pipeline()
	sizes := make([][]*redis.IntCmd, len(containers))
	copied := make([][]*redis.IntCmd, len(containers))
	dead := pipe.ZRange(ctx, key.Dead(0), 0, -1)
	for i, index := range containers {
		state := view.State(index)
		if state.Phase != Divided {
			sizes[i] = append(sizes[i], pipe.ZCard(ctx, index.Order(key.OrderCreated)))
		}
		for _, part := range PartsOf(index, state.Parts) {
			copied[i] = append(copied[i], pipe.ZCard(ctx, part.Order(key.OrderCreated)))
		}
	}
	if _, err := pipe.Exec(ctx); err != nil {
		return nil, fmt.Errorf("read the sizes of indexes: %w", err)
	}
	var found []Index
	for i, index := range containers {
		x := Index{Name: Field(index), Phase: view.State(index).Phase, Copied: sum(copied[i])}
		x.GivenUp = slices.Contains(dead.Val(), record.DivideTask(x.Name))
		if x.Topics = sum(sizes[i]); x.Phase == Divided {
			x.Topics = x.Copied
		}
		if x.Topics > above || x.Phase != Whole {
			found = append(found, x)
		}
	}
	return found, nil
}

func sum(cmds []*redis.IntCmd) (n int) {
	for _, cmd := range cmds {
		n += int(cmd.Val())
	}
	return n
}
