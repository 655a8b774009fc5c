package accounts_test

import (
	"strings"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/engine"
	"agora/internal/store/storetest"
	"agora/internal/test/site"
)

// wantOwner fails the test unless the user owns a login or e-mail.
func wantOwner(x *storetest.Site, fold string, want forum.UserID) {
	x.T.Helper()
	if got := x.Owner(fold); got != want {
		x.T.Errorf("%q is user %d's; want %d's", fold, got, want)
	}
}

// wantFree registers a user with the login or e-mail, which must succeed.
func wantFree(x *storetest.Site, fold string) forum.UserID {
	x.T.Helper()
	in := site.Account("taker" + engine.NewNonce())
	if strings.Contains(fold, "@") {
		in.Email, in.EmailFold = fold, fold
	} else {
		in.Login, in.LoginFold = fold, fold
	}
	id, err := x.Accounts.Register(x.Ctx, in)
	if err != nil {
		x.T.Errorf("Register with %q: %v; want it free", fold, err)
	}
	wantOwner(x, fold, id)
	return id
}

// changeEmail changes the e-mail of an account created by account.
func changeEmail(s *store.Store, x *storetest.Site, login string, id forum.UserID, email string) error {
	return s.Accounts.ChangeEmail(x.Ctx, id, "hash of "+login, email, strings.ToLower(email))
}

// email returns the e-mail that the account's own page shows.
func email(x *storetest.Site, id forum.UserID) string {
	x.T.Helper()
	r := x.Read(x.Ctx)
	return site.Sent(x.T, r, r.Accounts.Emails([]forum.UserID{id}))[0]
}
