package store_test

import (
	"strings"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/engine"
	"agora/internal/test/must"
	built "agora/internal/test/site"
)

// owner returns the owner of the login or e-mail; 0 for none.
func (x *site) owner(fold string) forum.UserID {
	x.t.Helper()
	c := must.Do(x.Accounts.Credentials(x.ctx, fold, strings.Contains(fold, "@")))(x.t)
	return c.User
}

// wantOwner fails the test unless the user owns a login or e-mail.
func (x *site) wantOwner(fold string, want forum.UserID) {
	x.t.Helper()
	if got := x.owner(fold); got != want {
		x.t.Errorf("%q is user %d's; want %d's", fold, got, want)
	}
}

// wantFree registers a user with the login or e-mail, which must succeed.
func (x *site) wantFree(fold string) forum.UserID {
	x.t.Helper()
	in := account("taker" + engine.NewNonce())
	if strings.Contains(fold, "@") {
		in.Email, in.EmailFold = fold, fold
	} else {
		in.Login, in.LoginFold = fold, fold
	}
	id, err := x.Accounts.Register(x.ctx, in)
	if err != nil {
		x.t.Errorf("Register with %q: %v; want it free", fold, err)
	}
	x.wantOwner(fold, id)
	return id
}

// changeEmail changes the e-mail of an account created by account.
func changeEmail(s *store.Store, x *site, login string, id forum.UserID, email string) error {
	return s.Accounts.ChangeEmail(x.ctx, id, "hash of "+login, email, strings.ToLower(email))
}

// email returns the e-mail that the account's own page shows.
func (x *site) email(id forum.UserID) string {
	x.t.Helper()
	r := x.Read(x.ctx)
	return built.Sent(x.t, r, r.Accounts.Emails([]forum.UserID{id}))[0]
}
