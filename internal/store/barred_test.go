package store_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
)

// withoutSet opens a process that cannot set the keys with a prefix, as in a cluster of which one master is away.
func (x *site) withoutSet(prefix string) *store.Store {
	x.t.Helper()
	client := x.server.Client(x.t)
	client.AddHook(redistest.Hook(func(ctx context.Context, cmds []redis.Cmder, next redis.ProcessPipelineHook) error {
		var sent, away []redis.Cmder
		for _, cmd := range cmds {
			if args := cmd.Args(); cmd.Name() == "set" && strings.HasPrefix(fmt.Sprint(args[1]), prefix) {
				away = append(away, cmd)
			} else {
				sent = append(sent, cmd)
			}
		}
		var err error
		if len(sent) > 0 {
			err = next(ctx, sent)
		}
		if len(away) > 0 {
			err = redistest.Fail(away, errors.New("the master is away"))
		}
		return err
	}))
	s := must.Do(store.Open(x.ctx, store.Over(client), x.data, store.WithClock(x.clock.Now), withTicks(nil),
		store.WithLives(forum.PendingLife, 0)))(x.t)
	x.t.Cleanup(s.Close)
	return s
}

// The e-mail of a banned account is barred before it is released: the two are in different slots, of which one may not
// answer.
func TestEmailIsBarredBeforeItIsReleased(t *testing.T) {
	for name, leave := range map[string]func(s *store.Store, id forum.UserID) error{
		"the account is deleted": func(s *store.Store, id forum.UserID) error {
			return s.Accounts.DeleteAccount(t.Context(), id, "hash of ann")
		},
		"the e-mail is changed": func(s *store.Store, id forum.UserID) error {
			return s.Accounts.ChangeEmail(t.Context(), id, "hash of ann", "new@example.org", "new@example.org")
		},
	} {
		t.Run(name, func(t *testing.T) {
			x := newSite(t)
			mia, ann := x.Moderator("mia"), x.User("ann")
			_, _, err := x.Moderation.Ban(x.ctx, mia, ann.ID, forum.Ban{Scope: forum.BanPost,
				Until: x.Engine.Now() + 1000, Grounds: because})
			wantOK(t, "Ban", err)
			s := x.withoutSet("uniq:{b:")
			wantOK(t, name, leave(s, ann.ID))
			s.Engine.Cleaner.Flush()
			in := account("second")
			in.Email, in.EmailFold = "ann@example.org", "ann@example.org"
			_, err = x.Accounts.Register(x.ctx, in)
			wantCode(t, "Register with the e-mail", err, forum.CodeBanned)
			x.settle()
			_, err = x.Accounts.Register(x.ctx, in)
			wantCode(t, "Register with the e-mail, once all is settled", err, forum.CodeBanned)
			x.wantClean()
		})
	}
}
