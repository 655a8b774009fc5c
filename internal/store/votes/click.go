package votes

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/script"
)

// RecordClicks counts that a visitor opened topics, each at most once in ClickLife. It returns how many clicks each has
// now, or -1 if it does not exist for the viewer. visitor is a hash that identifies the visitor.
func (s *Store) RecordClicks(ctx context.Context, by *forum.Viewer, visitor string,
	ids []forum.TopicID) ([]int, error) {
	var viewer forum.UserID
	if by != nil {
		viewer = by.ID
	}
	b := s.engine.Client.Batch()
	clicks := make([]*redis.Cmd, len(ids))
	for i, id := range ids {
		clicks[i] = b.Run(ctx, script.TopicClick{
			Topic: key.Topic(id), Mark: key.Click(id, visitor),
			Life: int64(forum.ClickLife / time.Second), Viewer: viewer, Rights: s.rules.Rights(ctx, by),
		})
	}
	if err := b.Exec(ctx); err != nil {
		return nil, fmt.Errorf("record clicks: %w", err)
	}
	counts := make([]int, len(ids))
	for i, click := range clicks {
		n, err := click.Int()
		if err != nil {
			return nil, errors.Join(errors.New("record clicks"), err)
		}
		counts[i] = n
	}
	return counts, nil
}
