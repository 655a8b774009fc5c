package httpserver

import (
	"fmt"
	"strings"
	"testing"

	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/httpserver/live"
	"agora/internal/ratelimit"
	"agora/internal/test/redistest"
)

// apiToken creates an API token of a user, and returns its name and the token.
func (w *liveWire) apiToken(of *forum.Viewer, scopes ...forum.Scope) (name, token string) {
	w.t.Helper()
	made, err := auth.NewAPIToken(of.ID)
	if err == nil {
		_, err = w.options.Resolver.Store.Sessions.CreateToken(w.t.Context(), &forum.Viewer{ID: of.ID},
			forum.APIToken{Digest: made.Digest(), Name: "test", Scopes: scopes})
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return auth.SessionName(made.Digest()), made.String()
}

// actAs is the header with which a token acts as a user.
func actAs(v *forum.Viewer) string {
	return ActAsHeader + ": " + globalid.New(globalid.User, fmt.Sprint(v.ID))
}

// A revoked token ends the sockets that use it, and no others of its owner's.
func TestSocketsEndWithTheirToken(t *testing.T) {
	w, k := newWokenWire(t)
	ann, session := w.member("ann")
	name, token := w.apiToken(ann, forum.ScopeRead)
	_, other := w.apiToken(ann, forum.ScopeRead)
	c, stays, too := w.signedIn(token), w.signedIn(session), w.signedIn(other)
	if err := w.options.Resolver.Store.Sessions.RevokeToken(t.Context(), ann.ID, name); err != nil {
		t.Fatal(err)
	}
	k.wake(ann.ID)
	c.wantClosed(4401)
	stays.wantQuiet()
	too.wantQuiet()
	c = w.dial()
	c.send(initWith(token))
	c.wantClosed(4401)
}

// A token without READ cannot subscribe.
func TestTokensNeedReadToSubscribe(t *testing.T) {
	w := newLiveWire(t, nil)
	ann, _ := w.member("ann")
	_, token := w.apiToken(ann, forum.ScopePost)
	a := w.do("POST", "/graphql", bodyOf(onTicks), isJSON, acceptEvents, "Authorization: Bearer "+token)
	if !strings.Contains(a.Body.String(), `"scope":"READ"`) || w.opened != 0 {
		t.Errorf("a subscription = %s, %d sources are open; want SCOPE_MISSING", a.Body.String(), w.opened)
	}
}

// A socket that acts as a member ends when either the token or what the member may do ends.
func TestSocketsThatActAsMembers(t *testing.T) {
	revoke := func(w *liveWire, ada, _ *forum.Viewer, name string) error {
		return w.options.Resolver.Store.Sessions.RevokeToken(w.t.Context(), ada.ID, name)
	}
	for what, tt := range map[string]struct {
		end  func(w *liveWire, ada, ann *forum.Viewer, name string) error
		wake func(ada, ann *forum.Viewer) forum.UserID
	}{
		"the token": {revoke, func(ada, _ *forum.Viewer) forum.UserID { return ada.ID }},
		"the owner's role": {func(w *liveWire, ada, _ *forum.Viewer, _ string) error {
			return w.options.Resolver.Store.Accounts.SetRole(w.t.Context(), ada.ID, forum.RoleUser)
		}, func(ada, _ *forum.Viewer) forum.UserID { return ada.ID }},
		"the member": {func(w *liveWire, _, ann *forum.Viewer, _ string) error {
			return ban(forum.BanSignIn)(w, ann)
		}, func(_, ann *forum.Viewer) forum.UserID { return ann.ID }},
	} {
		w, k := newWokenWire(t)
		ada, _ := w.member("ada")
		ann, _ := w.member("ann")
		if err := w.options.Resolver.Store.Accounts.SetRole(t.Context(), ada.ID, forum.RoleAdmin); err != nil {
			t.Fatal(err)
		}
		name, token := w.apiToken(ada, forum.ScopeRead, forum.ScopeImpersonate)
		c := w.dial("Authorization: Bearer "+token, actAs(ann))
		c.send(initMessage)
		c.want(ackMessage)
		if err := tt.end(w, ada, ann, name); err != nil {
			t.Fatal(err)
		}
		if k.wake(tt.wake(ada, ann)) != 1 {
			t.Errorf("%s: the socket does not watch that account", what)
		}
		c.wantClosed(4401)
	}
}

// Who may not act as another user is refused before anything is executed.
func TestWhoMayActAsOthers(t *testing.T) {
	w := newLiveWire(t, nil)
	ada, session := w.member("ada")
	ann, _ := w.member("ann")
	if err := w.options.Resolver.Store.Accounts.SetRole(t.Context(), ada.ID, forum.RoleAdmin); err != nil {
		t.Fatal(err)
	}
	_, token := w.apiToken(ada, forum.ScopeRead, forum.ScopeImpersonate)
	_, plain := w.apiToken(ada, forum.ScopeRead)
	as := actAs(ann)
	for name, tt := range map[string]struct {
		headers []string
		status  int
		code    string
	}{
		"a token with the scope":    {[]string{"Authorization: Bearer " + token, as}, 200, ""},
		"a token without the scope": {[]string{"Authorization: Bearer " + plain, as}, 403, "SCOPE_MISSING"},
		"a session":                 {[]string{"Authorization: Bearer " + session, as}, 403, "SCOPE_MISSING"},
		"nobody":                    {[]string{as}, 401, "UNAUTHENTICATED"},
		"as nobody":                 {[]string{"Authorization: Bearer " + token, ActAsHeader + ": "}, 403, "CANNOT_ACT_AS"},
		"as the ghost": {[]string{"Authorization: Bearer " + token,
			ActAsHeader + ": " + globalid.New(globalid.User, "0")}, 403, "CANNOT_ACT_AS"},
		"as a topic": {[]string{"Authorization: Bearer " + token,
			ActAsHeader + ": " + globalid.New(globalid.Topic, fmt.Sprint(ann.ID))}, 403, "CANNOT_ACT_AS"},
		"a bad token": {[]string{"Authorization: Bearer agora_pat_257_x", as}, 401, "UNAUTHENTICATED"},
	} {
		a := w.do("POST", "/graphql", bodyOf(`{__typename}`), append(tt.headers, isJSON)...)
		if a.Code != tt.status || !strings.Contains(a.Body.String(), tt.code) {
			t.Errorf("%s: %d %s; want %d %s", name, a.Code, a.Body.String(), tt.status, tt.code)
		}
		c, _, err := w.try(tt.headers...)
		if err != nil {
			t.Fatal(err)
		}
		c.send(initMessage)
		if tt.code == "" {
			c.want(ackMessage)
		} else {
			c.wantClosed(4401)
		}
	}
}

// What an administrator does as a member is in the log, with both.
func TestActingAsMembersIsLogged(t *testing.T) {
	w := newLiveWire(t, nil)
	ada, _ := w.member("ada")
	ann, _ := w.member("ann")
	if err := w.options.Resolver.Store.Accounts.SetRole(t.Context(), ada.ID, forum.RoleAdmin); err != nil {
		t.Fatal(err)
	}
	_, token := w.apiToken(ada, forum.ScopeRead, forum.ScopeImpersonate)
	want := fmt.Sprintf("by=%d as=%d\n", ada.ID, ann.ID)
	w.do("POST", "/graphql", bodyOf(`{__typename}`), isJSON, "Authorization: Bearer "+token)
	if strings.Contains(w.log.String(), "msg=request") {
		t.Errorf("the log = %s; want nothing of a successful request", w.log.String())
	}
	w.do("POST", "/graphql", bodyOf(`{__typename}`), isJSON, "Authorization: Bearer "+token, actAs(ann))
	if n := strings.Count(w.log.String(), want); n != 1 {
		t.Errorf("the log = %s; want one line with %q", w.log.String(), want)
	}
}

// A token is a caller of its own: what it uses up, its owner's sessions and other tokens have left.
func TestTokensAreCountedByThemselves(t *testing.T) {
	w := newLiveWire(t, func(o *Options, _ *live.Connections) {
		limited(ratelimit.Rates{ratelimit.Requests: 2}, redistest.NewClock())(o)
	})
	ann, session := w.member("ann")
	_, token := w.apiToken(ann, forum.ScopeRead)
	_, other := w.apiToken(ann, forum.ScopeRead)
	for _, tt := range []struct {
		token  string
		status int
	}{{token, 200}, {token, 200}, {token, 429}, {session, 200}, {other, 200}} {
		a := w.do("POST", "/graphql", bodyOf(`{__typename}`), isJSON, "Authorization: Bearer "+tt.token)
		if a.Code != tt.status {
			t.Errorf("a request = %d; want %d", a.Code, tt.status)
		}
	}
}
