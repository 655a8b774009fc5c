package accounts

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// ClaimLooks makes the claims on the looks of users' logins those of this version, as far as they are free. Earlier
// versions saw fewer logins as alike. It reads the users in one round trip, and changes those who need it in two more:
// the claims are made before the account names them, so whoever finds the names finds the claims. A claim that nobody names
// is void. The sweeper releases the former claims.
func (s *Store) ClaimLooks(ctx context.Context, ids []forum.UserID) error {
	b := s.engine.Client.Batch()
	shown, accounts := make([]*redis.SliceCmd, len(ids)), make([]*redis.SliceCmd, len(ids))
	ofUser, ofAccount := []string{"state", "login"}, []string{"nonce", "loginNonce", "lookClaims"}
	for i, id := range ids {
		shown[i] = b.HMGet(ctx, key.User(id), ofUser...)
		accounts[i] = b.HMGet(ctx, key.Internal(key.User(id)), ofAccount...)
	}
	if len(ids) == 0 {
		return nil
	}
	if err := b.Exec(ctx); err != nil {
		return fmt.Errorf("read logins: %w", err)
	}
	claims, changes, back := s.engine.Client.Batch(), s.engine.Client.Batch(), s.engine.Client.Batch()
	var named []*redis.Cmd
	var made [][]script.ClaimRelease
	for i, id := range ids {
		user, account := record.HMGet(ofUser, shown[i]), record.HMGet(ofAccount, accounts[i])
		looks := record.LookClaims(user["login"])
		names := strings.Join(looks, " ")
		if state := user["state"]; state != catalogue.UserActive && state != catalogue.UserApplied || account["lookClaims"] == names {
			continue
		}
		value := key.Itoa(id) + "/" + cmp.Or(account["loginNonce"], account["nonce"])
		var release []script.ClaimRelease
		for _, look := range looks {
			claims.Run(ctx, script.ClaimSet{Claim: look, Value: value})
			release = append(release, script.ClaimRelease{Claim: look, Value: value})
		}
		made = append(made, release)
		named = append(named, changes.Run(ctx, script.UserLooks{User: key.User(id), Releases: key.Release(id),
			ID: id, Login: user["login"], Looks: names, Now: s.engine.Now()}))
	}
	if changes.Len() == 0 {
		return nil
	}
	s.engine.Step("claim_looks")
	if err := claims.Exec(ctx); err != nil {
		return fmt.Errorf("claim the looks of logins: %w", err)
	}
	s.engine.Step("user_looks")
	if err := changes.Exec(ctx); err != nil {
		return fmt.Errorf("name the claims on looks: %w", err)
	}
	for i, cmd := range named {
		if has, _ := cmd.Bool(); !has { // the login was changed meanwhile
			for _, release := range made[i] {
				back.Run(ctx, release)
			}
		}
	}
	if back.Len() == 0 {
		return nil
	}
	s.engine.Step("claim_release")
	return back.Exec(ctx)
}
