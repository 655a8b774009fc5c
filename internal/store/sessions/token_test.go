package sessions_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/key"
	"agora/internal/store/storetest"
)

// asToken returns the viewer whom a token signs in, also as another member.
func asToken(x *storetest.Site, c forum.Credential) (*forum.Viewer, error) {
	x.T.Helper()
	c.API = true
	r := x.Read(x.Ctx)
	get := r.Sessions.SignedIn(c)
	storetest.WantOK(x.T, "Exec", r.Exec())
	v, _, err := get()
	return v, err
}

// signsIn reports whether a user's token signs in.
func signsIn(x *storetest.Site, user forum.UserID, digest string) bool {
	x.T.Helper()
	v, err := asToken(x, forum.Credential{Owner: user, Digest: digest})
	storetest.WantOK(x.T, "SignedIn", err)
	return v != nil
}

// tokens returns the names of the tokens that a user sees.
func tokens(x *storetest.Site, user forum.UserID) []string {
	x.T.Helper()
	r := x.Read(x.Ctx)
	get := r.Sessions.Tokens([]forum.UserID{user})
	storetest.WantOK(x.T, "Exec", r.Exec())
	all, err := get()
	storetest.WantOK(x.T, "Tokens", err)
	var names []string
	for _, t := range all[0] {
		names = append(names, t.Name)
	}
	return names
}

func TestTokenBelongsToOneUser(t *testing.T) {
	x := storetest.New(t)
	ann, bob := x.User("ann"), x.User("bob")
	x.Token(ann, storetest.DigestA, forum.ScopeRead, forum.ScopePost)
	x.Session(ann.ID, storetest.DigestB, time.Hour)
	v, err := asToken(x, forum.Credential{Owner: ann.ID, Digest: storetest.DigestA})
	if err != nil || v == nil || v.ID != ann.ID || v.Session != storetest.DigestA || v.Owner != 0 ||
		v.SessionEnds != 0 ||
		!slices.Equal(v.Scopes, []forum.Scope{forum.ScopeRead, forum.ScopePost}) {
		t.Errorf("the viewer of the token = %+v, %v; want ann with its scopes", v, err)
	}
	for name, c := range map[string]forum.Credential{
		"another user's":    {Owner: bob.ID, Digest: storetest.DigestA},
		"another digest":    {Owner: ann.ID, Digest: storetest.DigestC},
		"that of a session": {Owner: ann.ID, Digest: storetest.DigestB},
		"a missing user's":  {Owner: 256, Digest: storetest.DigestA},
	} {
		if v, err := asToken(x, c); v != nil || err != nil {
			t.Errorf("the viewer of %s = %+v, %v; want none", name, v, err)
		}
	}
	if x.SignedIn(ann.ID, storetest.DigestA) != nil {
		t.Error("the token is accepted as a session")
	}
	x.WantClean()
}

// Who signs in with a token needs one round trip of as many commands as with a session, and of two more as another
// member: an account is two hashes.
func TestTokenIsOneRoundTrip(t *testing.T) {
	x := storetest.New(t)
	ann, bob := x.User("ann"), x.User("bob")
	for commands, c := range map[int64]forum.Credential{
		3: {Owner: ann.ID, Digest: storetest.DigestA, API: true},
		5: {Owner: ann.ID, Digest: storetest.DigestA, API: true, As: bob.ID},
	} {
		var usage store.Usage
		r := x.Read(store.WithUsage(x.Ctx, &usage))
		r.Sessions.SignedIn(c)
		storetest.WantOK(t, "Exec", r.Exec())
		if trips, sent := usage.RoundTrips.Load(), usage.Commands.Load(); trips != 1 || sent != commands {
			t.Errorf("%+v took %d round trips and %d commands; want 1 and %d", c, trips, sent, commands)
		}
	}
}

// The edge of MaxTokens: 20, and the dead do not count.
func TestTooManyTokens(t *testing.T) {
	x := storetest.New(t)
	ann := x.User("ann")
	digest := func(n int) string { return fmt.Sprintf("%064x", n) }
	soon := x.Engine.Now() + 1000
	_, err := x.Sessions.CreateToken(x.Ctx, ann, forum.APIToken{Digest: digest(0), Name: "short", EndsAt: soon,
		Scopes: []forum.Scope{forum.ScopeRead}})
	storetest.WantOK(t, "CreateToken", err)
	for n := range forum.MaxTokens - 1 {
		x.Token(ann, digest(n+1), forum.ScopeRead)
	}
	create := func() error {
		_, err := x.Sessions.CreateToken(x.Ctx, ann, forum.APIToken{Digest: digest(21), Name: "n",
			Scopes: forum.Scopes})
		return err
	}
	x.Clock.Advance(time.Second - time.Millisecond)
	storetest.WantCode(t, "CreateToken of the 21st", create(), forum.CodeTooLong)
	if !signsIn(x, ann.ID, digest(0)) || len(tokens(x, ann.ID)) != forum.MaxTokens {
		t.Errorf("tokens = %v; want %d, all alive", tokens(x, ann.ID), forum.MaxTokens)
	}
	x.Clock.Advance(time.Millisecond)
	if signsIn(x, ann.ID, digest(0)) || len(tokens(x, ann.ID)) != forum.MaxTokens-1 {
		t.Error("a token is alive at its end")
	}
	storetest.WantOK(t, "CreateToken once one is dead", create())
	if n := x.Redis.HLen(t.Context(), key.Tokens(ann.ID)).Val(); n != forum.MaxTokens {
		t.Errorf("%d tokens are stored; want %d: the dead one is removed", n, forum.MaxTokens)
	}
	x.WantClean()
}

// A token dies 180 days after its last use, or its creation, and its key not before.
func TestUnusedTokensDie(t *testing.T) {
	x := storetest.New(t)
	ann := x.User("ann")
	x.Token(ann, storetest.DigestA, forum.ScopeRead)
	x.Token(ann, storetest.DigestB, forum.ScopeRead)
	x.Clock.Advance(forum.TokenIdle - time.Millisecond)
	if !signsIn(x, ann.ID, storetest.DigestA) || !signsIn(x, ann.ID, storetest.DigestB) {
		t.Error("tokens are dead a millisecond early")
	}
	storetest.WantOK(t, "TouchToken", x.Sessions.TouchToken(t.Context(), ann.ID, storetest.DigestB))
	want := time.Duration(x.Clock.Now().Add(forum.TokenIdle+forum.ExpiryGrace+999*time.Millisecond).Unix()) * time.Second
	if got := x.Redis.ExpireTime(t.Context(), key.Tokens(ann.ID)).Val(); got != want {
		t.Errorf("EXPIRETIME = %v; want %v", got, want)
	}
	x.Clock.Advance(time.Millisecond)
	if signsIn(x, ann.ID, storetest.DigestA) || !signsIn(x, ann.ID, storetest.DigestB) {
		t.Error("want the unused token dead, and the used one alive")
	}
	if got := tokens(x, ann.ID); len(got) != 1 {
		t.Errorf("tokens = %v; want the used one", got)
	}
	x.Clock.Advance(forum.TokenIdle - time.Millisecond)
	if signsIn(x, ann.ID, storetest.DigestB) {
		t.Error("a token is alive 180 days after its last use")
	}
	storetest.WantOK(t, "TouchToken of no token", x.Sessions.TouchToken(t.Context(), 512, storetest.DigestA))
	if x.Exists(key.Tokens(512)) {
		t.Error("TouchToken of a missing user left a key")
	}
}

// What ends an account's sessions for good, or was meant to keep an intruder out, ends its tokens.
func TestTokensEndWithTheirAccount(t *testing.T) {
	for name, end := range map[string]func(x *storetest.Site, ann *forum.Viewer) error{
		"the password is changed": func(x *storetest.Site, ann *forum.Viewer) error {
			return x.Accounts.ChangePassword(x.Ctx, ann, "hash of ann", "new")
		},
		"an operator sets the password": func(x *storetest.Site, ann *forum.Viewer) error {
			return x.Accounts.SetPassword(x.Ctx,
				ann.ID, "new")
		},
		"the account is deleted": func(x *storetest.Site,
			ann *forum.Viewer) error {
			return x.Accounts.DeleteAccount(x.Ctx, ann.ID, "hash of ann")
		},
	} {
		x := storetest.New(t)
		ann := x.User("ann")
		x.Token(ann, storetest.DigestA, forum.ScopeRead)
		storetest.WantOK(t, name, end(x, ann))
		if signsIn(x, ann.ID, storetest.DigestA) || x.Exists(key.Tokens(ann.ID)) {
			t.Errorf("%s: a token is left", name)
		}
		_, err := x.Sessions.CreateToken(x.Ctx, &forum.Viewer{ID: ann.ID, Session: storetest.DigestC},
			forum.APIToken{Digest: storetest.DigestB, Name: "n",
				Scopes: forum.Scopes})
		storetest.WantCode(t, name+": CreateToken in a session that has ended", err, forum.CodeUnauthenticated)
		x.Clock.Advance(2 * time.Second)
		x.WantClean()
	}
}

// A token does no more than its owner may now, and no more than its scopes allow.
func TestTokensAuthority(t *testing.T) {
	tests := []struct {
		name   string
		role   forum.Role
		scopes []forum.Scope
		want   forum.Role
	}{
		{"an administrator's with all", forum.RoleAdmin, forum.Scopes, forum.RoleAdmin},
		{"an administrator's with ADMIN", forum.RoleAdmin, []forum.Scope{forum.ScopeAdmin}, forum.RoleAdmin},
		{"an administrator's with MODERATE", forum.RoleAdmin, []forum.Scope{forum.ScopeModerate}, forum.RoleModerator},
		{"an administrator's with neither", forum.RoleAdmin, []forum.Scope{forum.ScopePost}, forum.RoleUser},
		{"a moderator's with ADMIN", forum.RoleModerator, []forum.Scope{forum.ScopeAdmin}, forum.RoleModerator},
		{"a moderator's with MODERATE", forum.RoleModerator, []forum.Scope{forum.ScopeModerate}, forum.RoleModerator},
		{"a moderator's with neither", forum.RoleModerator, []forum.Scope{forum.ScopeRead}, forum.RoleUser},
		{"a member's with all", forum.RoleUser, forum.Scopes, forum.RoleUser},
	}
	x := storetest.New(t)
	ann := x.User("ann")
	x.Redis.HSet(x.Ctx, key.User(ann.ID), "moderates", "7")
	for i, tt := range tests {
		digest := fmt.Sprintf("%064x", i)
		x.Token(ann, digest, tt.scopes...)
		storetest.WantOK(t, "SetRole", x.Accounts.SetRole(x.Ctx, ann.ID, tt.role)) // after the token was created
		v, err := asToken(x, forum.Credential{Owner: ann.ID, Digest: digest})
		moderates := slices.Contains(tt.scopes, forum.ScopeModerate) || slices.Contains(tt.scopes, forum.ScopeAdmin)
		if err != nil || v.Role != tt.want || (forum.Rules{}).Moderates(v, 7) != (moderates || tt.want != forum.RoleUser) {
			t.Errorf("%s: %+v, %v; want %s, moderates %t", tt.name, v, err, tt.want, moderates)
		}
	}
}

// Only the token of a present administrator acts as others, and not as other administrators.
func TestActAs(t *testing.T) {
	x := storetest.New(t)
	ada, ann, mod, ida, eve, gone := x.User("ada"), x.User("ann"), x.User("mod"), x.User("ida"), x.User("eve"), x.User("gone")
	for id, role := range map[forum.UserID]forum.Role{ada.ID: forum.RoleAdmin, ida.ID: forum.RoleAdmin,
		mod.ID: forum.RoleModerator} {
		storetest.WantOK(t, "SetRole", x.Accounts.SetRole(x.Ctx, id, role))
	}
	x.Redis.HSet(x.Ctx, key.User(eve.ID), "ban", "SIGN_IN", "banUntil", "0", "banReason", "SPAM", "banAct", "1")
	storetest.WantOK(t, "DeleteAccount", x.Accounts.DeleteAccount(x.Ctx, gone.ID, "hash of gone"))
	x.Token(ada, storetest.DigestA, forum.ScopeRead, forum.ScopeImpersonate)
	x.Token(ada, storetest.DigestB, forum.ScopeRead)
	as := func(digest string, member forum.UserID) (*forum.Viewer, error) {
		return asToken(x, forum.Credential{Owner: ada.ID, Digest: digest, As: member})
	}
	for _, member := range []*forum.Viewer{ann, mod} {
		v, err := as(storetest.DigestA, member.ID)
		if err != nil || v.ID != member.ID || v.Owner != ada.ID || v.Role != forum.RoleUser {
			t.Errorf("acting as %d = %+v, %v; want a member, by %d", member.ID, v, err, ada.ID)
		}
	}
	if v, err := as(storetest.DigestA, ada.ID); err != nil || v.ID != ada.ID || v.Owner != 0 {
		t.Errorf("acting as oneself = %+v, %v; want oneself", v, err)
	}
	for name, tt := range map[string]struct {
		digest string
		member forum.UserID
		want   forum.Code
	}{
		"without the scope":        {storetest.DigestB, ann.ID, forum.CodeScopeMissing},
		"as another administrator": {storetest.DigestA, ida.ID, forum.CodeCannotActAs},
		"as who is banned":         {storetest.DigestA, eve.ID, forum.CodeCannotActAs},
		"as who has left":          {storetest.DigestA, gone.ID, forum.CodeCannotActAs},
		"as nobody":                {storetest.DigestA, 256, forum.CodeCannotActAs},
		"with a token of nobody's": {storetest.DigestC, ann.ID, ""},
	} {
		if v, err := as(tt.digest, tt.member); v != nil || forum.CodeOf(err) != tt.want {
			t.Errorf("acting %s = %+v, %v; want %s", name, v, err, tt.want)
		}
	}
	storetest.WantOK(t, "SetRole", x.Accounts.SetRole(x.Ctx, ada.ID, forum.RoleModerator))
	if v, err := as(storetest.DigestA, ann.ID); v != nil || forum.CodeOf(err) != forum.CodeCannotActAs {
		t.Errorf("acting once the owner is no administrator = %+v, %v; want CANNOT_ACT_AS", v, err)
	}
}
