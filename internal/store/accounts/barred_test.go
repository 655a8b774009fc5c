package accounts_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/site"
)

// withoutSet opens a process that cannot set the keys with a prefix, as in a cluster of which one master is away.
func withoutSet(x *storetest.Site, prefix string) *store.Store {
	x.T.Helper()
	client := x.Server.Client(x.T)
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
	s := must.Do(store.Open(x.Ctx, store.Over(client), x.Data, store.WithClock(x.Clock.Now), storetest.WithTicks(nil),
		store.WithLives(forum.PendingLife, 0)))(x.T)
	x.T.Cleanup(s.Close)
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
			x := storetest.New(t)
			mia, ann := x.Moderator("mia"), x.User("ann")
			_, _, err := x.Moderation.Ban(x.Ctx, mia, ann.ID, forum.Ban{Scope: forum.BanPost,
				Until: x.Engine.Now() + 1000, Grounds: storetest.Because})
			storetest.WantOK(t, "Ban", err)
			s := withoutSet(x, "uniq:{b:")
			storetest.WantOK(t, name, leave(s, ann.ID))
			s.Engine.Cleaner.Flush()
			in := site.Account("second")
			in.Email, in.EmailFold = "ann@example.org", "ann@example.org"
			_, err = x.Accounts.Register(x.Ctx, in)
			storetest.WantCode(t, "Register with the e-mail", err, forum.CodeBanned)
			x.Settle()
			_, err = x.Accounts.Register(x.Ctx, in)
			storetest.WantCode(t, "Register with the e-mail, once all is settled", err, forum.CodeBanned)
			x.WantClean()
		})
	}
}
