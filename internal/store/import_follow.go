package store

import (
	"context"
	"errors"

	"agora/internal/forum"
)

// NewFollow is an edge to import: From follows To.
type NewFollow struct{ From, To forum.UserID }

// Follows has users follow others, in a few pipelines, and tells of each whether it was new.
// Whoever is gone follows nobody and is followed by nobody.
func (im *Import) Follows(ctx context.Context, in []NewFollow) (created []bool, err error) {
	return nil, errors.New("not written yet")
}
