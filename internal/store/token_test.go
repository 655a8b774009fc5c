package store_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/key"
)

// token creates an API token.
func (x *site) token(by *forum.Viewer, digest string, scopes ...forum.Scope) {
	x.t.Helper()
	_, err := x.Accounts.CreateToken(x.ctx, by, forum.APIToken{Digest: digest, Name: "name of " + digest,
		Scopes: scopes})
	wantOK(x.t, "CreateToken", err)
}

// asToken returns the viewer whom a token signs in, also as another member.
func (x *site) asToken(c forum.Credential) (*forum.Viewer, error) {
	x.t.Helper()
	c.API = true
	r := x.Read(x.ctx)
	get := r.Accounts.SignedIn(c)
	wantOK(x.t, "Exec", r.Exec())
	v, _, err := get()
	return v, err
}

// signsIn reports whether a user's token signs in.
func (x *site) signsIn(user forum.UserID, digest string) bool {
	x.t.Helper()
	v, err := x.asToken(forum.Credential{Owner: user, Digest: digest})
	wantOK(x.t, "SignedIn", err)
	return v != nil
}

// tokens returns the names of the tokens that a user sees.
func (x *site) tokens(user forum.UserID) []string {
	x.t.Helper()
	r := x.Read(x.ctx)
	get := r.Accounts.Tokens([]forum.UserID{user})
	wantOK(x.t, "Exec", r.Exec())
	all, err := get()
	wantOK(x.t, "Tokens", err)
	var names []string
	for _, t := range all[0] {
		names = append(names, t.Name)
	}
	return names
}

func TestTokenBelongsToOneUser(t *testing.T) {
	x := newSite(t)
	ann, bob := x.User("ann"), x.User("bob")
	x.token(ann, digestA, forum.ScopeRead, forum.ScopePost)
	x.Session(ann.ID, digestB, time.Hour)
	v, err := x.asToken(forum.Credential{Owner: ann.ID, Digest: digestA})
	if err != nil || v == nil || v.ID != ann.ID || v.Session != digestA || v.Owner != 0 || v.SessionEnds != 0 ||
		!slices.Equal(v.Scopes, []forum.Scope{forum.ScopeRead, forum.ScopePost}) {
		t.Errorf("the viewer of the token = %+v, %v; want ann with its scopes", v, err)
	}
	for name, c := range map[string]forum.Credential{
		"another user's":    {Owner: bob.ID, Digest: digestA},
		"another digest":    {Owner: ann.ID, Digest: digestC},
		"that of a session": {Owner: ann.ID, Digest: digestB},
		"a missing user's":  {Owner: 256, Digest: digestA},
	} {
		if v, err := x.asToken(c); v != nil || err != nil {
			t.Errorf("the viewer of %s = %+v, %v; want none", name, v, err)
		}
	}
	if x.session(ann.ID, digestA) != nil {
		t.Error("the token is accepted as a session")
	}
	x.wantClean()
}

// Who signs in with a token needs one round trip of as many commands as with a session, and of two more as another
// member: an account is two hashes.
func TestTokenIsOneRoundTrip(t *testing.T) {
	x := newSite(t)
	ann, bob := x.User("ann"), x.User("bob")
	for commands, c := range map[int64]forum.Credential{
		3: {Owner: ann.ID, Digest: digestA, API: true},
		5: {Owner: ann.ID, Digest: digestA, API: true, As: bob.ID},
	} {
		var usage store.Usage
		r := x.Read(store.WithUsage(x.ctx, &usage))
		r.Accounts.SignedIn(c)
		wantOK(t, "Exec", r.Exec())
		if trips, sent := usage.RoundTrips.Load(), usage.Commands.Load(); trips != 1 || sent != commands {
			t.Errorf("%+v took %d round trips and %d commands; want 1 and %d", c, trips, sent, commands)
		}
	}
}

// The edge of MaxTokens: 20, and the dead do not count.
func TestTooManyTokens(t *testing.T) {
	x := newSite(t)
	ann := x.User("ann")
	digest := func(n int) string { return fmt.Sprintf("%064x", n) }
	soon := x.Engine.Now() + 1000
	_, err := x.Accounts.CreateToken(x.ctx, ann, forum.APIToken{Digest: digest(0), Name: "short", EndsAt: soon,
		Scopes: []forum.Scope{forum.ScopeRead}})
	wantOK(t, "CreateToken", err)
	for n := range forum.MaxTokens - 1 {
		x.token(ann, digest(n+1), forum.ScopeRead)
	}
	create := func() error {
		_, err := x.Accounts.CreateToken(x.ctx, ann, forum.APIToken{Digest: digest(21), Name: "n",
			Scopes: forum.Scopes})
		return err
	}
	x.clock.Advance(time.Second - time.Millisecond)
	wantCode(t, "CreateToken of the 21st", create(), forum.CodeTooLong)
	if !x.signsIn(ann.ID, digest(0)) || len(x.tokens(ann.ID)) != forum.MaxTokens {
		t.Errorf("tokens = %v; want %d, all alive", x.tokens(ann.ID), forum.MaxTokens)
	}
	x.clock.Advance(time.Millisecond)
	if x.signsIn(ann.ID, digest(0)) || len(x.tokens(ann.ID)) != forum.MaxTokens-1 {
		t.Error("a token is alive at its end")
	}
	wantOK(t, "CreateToken once one is dead", create())
	if n := x.rdb.HLen(t.Context(), key.Tokens(ann.ID)).Val(); n != forum.MaxTokens {
		t.Errorf("%d tokens are stored; want %d: the dead one is removed", n, forum.MaxTokens)
	}
	x.wantClean()
}

// A token dies 180 days after its last use, or its creation, and its key not before.
func TestUnusedTokensDie(t *testing.T) {
	x := newSite(t)
	ann := x.User("ann")
	x.token(ann, digestA, forum.ScopeRead)
	x.token(ann, digestB, forum.ScopeRead)
	x.clock.Advance(forum.TokenIdle - time.Millisecond)
	if !x.signsIn(ann.ID, digestA) || !x.signsIn(ann.ID, digestB) {
		t.Error("tokens are dead a millisecond early")
	}
	wantOK(t, "TouchToken", x.Accounts.TouchToken(t.Context(), ann.ID, digestB))
	want := time.Duration(x.clock.Now().Add(forum.TokenIdle+forum.ExpiryGrace+999*time.Millisecond).Unix()) * time.Second
	if got := x.rdb.ExpireTime(t.Context(), key.Tokens(ann.ID)).Val(); got != want {
		t.Errorf("EXPIRETIME = %v; want %v", got, want)
	}
	x.clock.Advance(time.Millisecond)
	if x.signsIn(ann.ID, digestA) || !x.signsIn(ann.ID, digestB) {
		t.Error("want the unused token dead, and the used one alive")
	}
	if got := x.tokens(ann.ID); len(got) != 1 {
		t.Errorf("tokens = %v; want the used one", got)
	}
	x.clock.Advance(forum.TokenIdle - time.Millisecond)
	if x.signsIn(ann.ID, digestB) {
		t.Error("a token is alive 180 days after its last use")
	}
	wantOK(t, "TouchToken of no token", x.Accounts.TouchToken(t.Context(), 512, digestA))
	if x.exists(key.Tokens(512)) {
		t.Error("TouchToken of a missing user left a key")
	}
}

func TestRevokeToken(t *testing.T) {
	x := newSite(t)
	ann, bob := x.User("ann"), x.User("bob")
	x.token(ann, digestA, forum.ScopeRead)
	x.token(ann, digestB, forum.ScopeRead)
	wantCode(t, "RevokeToken of another user's", x.Accounts.RevokeToken(t.Context(), bob.ID, "a1a1"),
		forum.CodeNotFound)
	wantCode(t, "RevokeToken without a name", x.Accounts.RevokeToken(t.Context(), ann.ID, ""), forum.CodeNotFound)
	wantOK(t, "RevokeToken", x.Accounts.RevokeToken(t.Context(), ann.ID, "a1a1"))
	if x.signsIn(ann.ID, digestA) || !x.signsIn(ann.ID, digestB) {
		t.Error("RevokeToken revoked the wrong token")
	}
	wantCode(t, "RevokeToken again", x.Accounts.RevokeToken(t.Context(), ann.ID, "a1a1"), forum.CodeNotFound)
}

// What ends an account's sessions for good, or was meant to keep an intruder out, ends its tokens.
func TestTokensEndWithTheirAccount(t *testing.T) {
	for name, end := range map[string]func(x *site, ann *forum.Viewer) error{
		"the password is changed": func(x *site, ann *forum.Viewer) error {
			return x.Accounts.ChangePassword(x.ctx, ann, "hash of ann", "new")
		},
		"an operator sets the password": func(x *site, ann *forum.Viewer) error {
			return x.Accounts.SetPassword(x.ctx,
				ann.ID, "new")
		},
		"the account is deleted": func(x *site,
			ann *forum.Viewer) error {
			return x.Accounts.DeleteAccount(x.ctx, ann.ID, "hash of ann")
		},
	} {
		x := newSite(t)
		ann := x.User("ann")
		x.token(ann, digestA, forum.ScopeRead)
		wantOK(t, name, end(x, ann))
		if x.signsIn(ann.ID, digestA) || x.exists(key.Tokens(ann.ID)) {
			t.Errorf("%s: a token is left", name)
		}
		_, err := x.Accounts.CreateToken(x.ctx, &forum.Viewer{ID: ann.ID, Session: digestC},
			forum.APIToken{Digest: digestB, Name: "n",
				Scopes: forum.Scopes})
		wantCode(t, name+": CreateToken in a session that has ended", err, forum.CodeUnauthenticated)
		x.clock.Advance(2 * time.Second)
		x.wantClean()
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
	x := newSite(t)
	ann := x.User("ann")
	x.rdb.HSet(x.ctx, key.User(ann.ID), "moderates", "7")
	for i, tt := range tests {
		digest := fmt.Sprintf("%064x", i)
		x.token(ann, digest, tt.scopes...)
		wantOK(t, "SetRole", x.Accounts.SetRole(x.ctx, ann.ID, tt.role)) // after the token was created
		v, err := x.asToken(forum.Credential{Owner: ann.ID, Digest: digest})
		moderates := slices.Contains(tt.scopes, forum.ScopeModerate) || slices.Contains(tt.scopes, forum.ScopeAdmin)
		if err != nil || v.Role != tt.want || v.ModeratorOf(7) != (moderates || tt.want != forum.RoleUser) {
			t.Errorf("%s: %+v, %v; want %s, moderates %t", tt.name, v, err, tt.want, moderates)
		}
	}
}

// Only the token of a present administrator acts as others, and not as other administrators.
func TestActAs(t *testing.T) {
	x := newSite(t)
	ada, ann, mod, ida, eve, gone := x.User("ada"), x.User("ann"), x.User("mod"), x.User("ida"), x.User("eve"), x.User("gone")
	for id, role := range map[forum.UserID]forum.Role{ada.ID: forum.RoleAdmin, ida.ID: forum.RoleAdmin,
		mod.ID: forum.RoleModerator} {
		wantOK(t, "SetRole", x.Accounts.SetRole(x.ctx, id, role))
	}
	x.rdb.HSet(x.ctx, key.User(eve.ID), "ban", "SIGN_IN", "banUntil", "0", "banReason", "SPAM", "banAct", "1")
	wantOK(t, "DeleteAccount", x.Accounts.DeleteAccount(x.ctx, gone.ID, "hash of gone"))
	x.token(ada, digestA, forum.ScopeRead, forum.ScopeImpersonate)
	x.token(ada, digestB, forum.ScopeRead)
	as := func(digest string, member forum.UserID) (*forum.Viewer, error) {
		return x.asToken(forum.Credential{Owner: ada.ID, Digest: digest, As: member})
	}
	for _, member := range []*forum.Viewer{ann, mod} {
		v, err := as(digestA, member.ID)
		if err != nil || v.ID != member.ID || v.Owner != ada.ID || v.Role != forum.RoleUser {
			t.Errorf("acting as %d = %+v, %v; want a member, by %d", member.ID, v, err, ada.ID)
		}
	}
	if v, err := as(digestA, ada.ID); err != nil || v.ID != ada.ID || v.Owner != 0 {
		t.Errorf("acting as oneself = %+v, %v; want oneself", v, err)
	}
	for name, tt := range map[string]struct {
		digest string
		member forum.UserID
		want   forum.Code
	}{
		"without the scope":        {digestB, ann.ID, forum.CodeScopeMissing},
		"as another administrator": {digestA, ida.ID, forum.CodeCannotActAs},
		"as who is banned":         {digestA, eve.ID, forum.CodeCannotActAs},
		"as who has left":          {digestA, gone.ID, forum.CodeCannotActAs},
		"as nobody":                {digestA, 256, forum.CodeCannotActAs},
		"with a token of nobody's": {digestC, ann.ID, ""},
	} {
		if v, err := as(tt.digest, tt.member); v != nil || forum.CodeOf(err) != tt.want {
			t.Errorf("acting %s = %+v, %v; want %s", name, v, err, tt.want)
		}
	}
	wantOK(t, "SetRole", x.Accounts.SetRole(x.ctx, ada.ID, forum.RoleModerator))
	if v, err := as(digestA, ann.ID); v != nil || forum.CodeOf(err) != forum.CodeCannotActAs {
		t.Errorf("acting once the owner is no administrator = %+v, %v; want CANNOT_ACT_AS", v, err)
	}
}
