package loader

import (
	"context"

	"agora/internal/forum"
)

// Invitations reads the invitations that users made, newest first. They are for the users themselves, as Emails are.
func (l *Loaders) Invitations(ctx context.Context, ids []forum.UserID) ([][]*forum.Invitation, []error) {
	return l.invitations.many(ctx, ids)
}

// Inviters reads who invited users, 0 for nobody. Only the users themselves and moderators may know.
func (l *Loaders) Inviters(ctx context.Context, ids []forum.UserID) ([]forum.UserID, []error) {
	return l.inviters.many(ctx, ids)
}
