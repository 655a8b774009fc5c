package loader

import (
	"context"

	"agora/internal/forum"
)

// Applications reads the applications of users; nil for an account that moderators have approved, or need not. Only
// moderators may know them.
func (l *Loaders) Applications(ctx context.Context, ids []forum.UserID) ([]*forum.Application, []error) {
	return l.applications.many(ctx, ids)
}
