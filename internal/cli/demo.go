package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"agora/internal/auth"
	"agora/internal/demo"
	"agora/internal/forum"
	"agora/internal/httpserver"
	"agora/internal/httpserver/ui"
	"agora/internal/store"
)

// seedDemo writes the demo data if the store is empty, generates a password for the accounts that can sign in, one of
// each role, and adds both to the banner. The application shows them too, if o says so.
func seedDemo(ctx context.Context, s *store.Store, o httpserver.Options, b *banner) (demo.Seeded, error) {
	empty, err := s.Empty(ctx)
	if err != nil {
		return demo.Seeded{}, err
	}
	if !empty {
		return demo.Seeded{}, errors.New("this Redis already holds a site; --demo requires an empty one")
	}
	password := auth.RandomPassword()
	hash, err := o.Resolver.Hasher.Hash(ctx, password)
	if err != nil {
		return demo.Seeded{}, err
	}
	made, err := demo.Seed(ctx, s, hash)
	if err != nil {
		return demo.Seeded{}, err
	}
	b.password = password
	var accounts []ui.Account
	for i, u := range made.Data.Users {
		if i == 0 || u.Role != forum.RoleUser {
			b.logins = append(b.logins, fmt.Sprintf("%s (%s)", u.Login, u.Role))
			accounts = append(accounts, ui.Account{Login: u.Login, Role: string(u.Role)})
		}
	}
	if o.Demo != nil {
		if err := o.Demo.Offer(password, accounts); err != nil {
			return demo.Seeded{}, err
		}
	}
	b.data = fmt.Sprintf("demo data: %d users, %d topics, %d comments, %d statuses, %d follows",
		len(made.Users), len(made.Topics), len(made.Comments), len(made.Statuses), len(made.Follows))
	return made, nil
}

// runBot lets the demo's bot post until ctx is done or it has reached its limit.
func runBot(ctx context.Context, bot *demo.Bot) {
	every := time.NewTicker(demo.BotEvery)
	defer every.Stop()
	bot.Run(ctx, every.C)
}
