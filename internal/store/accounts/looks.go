package accounts

import (
	"context"
	"fmt"
	"strings"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// ClaimLooks makes the claims on the looks of a user's login those of this version, as far as they are free. Earlier
// versions saw fewer logins as alike.
func (s *Store) ClaimLooks(ctx context.Context, id forum.UserID, login string) error {
	looks := record.LookClaims(login)
	nonce, err := s.Client.Run(ctx, script.UserLooks{
		User: key.User(id), Releases: key.Release(id), Dirty: key.Dirty(id.Partition()), ID: id, Login: login,
		Looks: strings.Join(looks, " "), Now: s.Now(),
	}).Text()
	if err != nil || nonce == "" {
		return err
	}
	b := s.Client.Batch()
	for _, look := range looks {
		b.Run(ctx, script.ClaimSet{Claim: look, Value: key.Itoa(id) + "/" + nonce})
	}
	if err := b.Exec(ctx); err != nil {
		return fmt.Errorf("claim the looks of user %d: %w", id, err)
	}
	return s.release(ctx, id)
}
