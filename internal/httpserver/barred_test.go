package httpserver

import (
	"context"
	"encoding/json"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"agora/internal/forum"
	"agora/internal/httpserver/live"
	"agora/internal/store"
	"agora/internal/test/issuertest"
	"agora/internal/test/must"
)

// barredUntil is when the bans of these tests end, and how answers say so.
const (
	barredUntil     forum.Time = 4_000_000_000_000
	barredUntilText            = "2096-10-02T07:06:40.000Z"
)

// bars are the ways to keep a user out, with the extensions of what is refused then.
var bars = map[string]struct {
	bar  func(context.Context, *store.Store, forum.UserID) error
	want map[string]any
}{
	"for a time": {barWith(barredUntil),
		map[string]any{"code": "BANNED", "scope": "SIGN_IN", "reason": "ABUSE", "until": barredUntilText}},
	"for good": {barWith(0),
		map[string]any{"code": "BANNED", "scope": "SIGN_IN", "reason": "ABUSE", "until": nil}},
	"deactivated": {func(ctx context.Context, s *store.Store, id forum.UserID) error {
		return s.Accounts.SetDeactivated(ctx, id, true)
	}, map[string]any{"code": "DEACTIVATED"}},
}

// barWith bans a user from signing in.
func barWith(until forum.Time) func(context.Context, *store.Store, forum.UserID) error {
	return func(ctx context.Context, s *store.Store, id forum.UserID) error {
		_, _, err := s.Moderation.Ban(ctx, nil, id, forum.Ban{Scope: forum.BanSignIn, Until: until,
			Grounds: forum.Grounds{Reason: forum.ReasonAbuse}})
		return err
	}
}

// barredTokens returns a wire with tokens of users who are barred: one of an issuer, and an API token unless it has ended.
func barredTokens(t *testing.T, how string) (w *liveWire, tokens map[string]string) {
	t.Helper()
	of := issuertest.New(t)
	w = newRealWire(t, func(o *Options, _ *live.Connections) {
		withIssuer(t, of, o.Resolver)
		o.Cache = true
	})
	w.Handler = New(w.options)
	data := w.options.Resolver.Store
	tokens = map[string]string{"issuer": of.Token(t, "7", nil)}
	w.post(askViewer, "Authorization: Bearer "+tokens["issuer"])
	member := must.Do(data.Accounts.FindExternal(t.Context(), forum.External{Issuer: of.URL, Subject: "7"}))(t)
	ann, _ := w.member("ann")
	_, tokens["API"] = w.apiToken(ann, forum.ScopeRead, forum.ScopePost, forum.ScopeProfile)
	for _, id := range []forum.UserID{member, ann.ID} {
		must.OK(t, bars[how].bar(t.Context(), data, id))
	}
	if how == "deactivated" { // which ends API tokens
		delete(tokens, "API")
	}
	return w, tokens
}

// barredAnswer is an answer with the errors that say why an account may not be used.
type barredAnswer struct {
	Data   map[string]any
	Errors []struct {
		Path       []any
		Extensions map[string]any
	}
}

// wantWhy checks that an answer has one error, which says why.
func (a barredAnswer) wantWhy(t *testing.T, name string, want map[string]any) {
	t.Helper()
	if len(a.Errors) != 1 {
		t.Fatalf("%s: %+v; want one error", name, a)
	}
	got := a.Errors[0].Extensions
	delete(got, "requestId")
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: the extensions are %v; want %v", name, got, want)
	}
}

// Whoever is banned from signing in, or deactivated, reads with a token what everybody reads, and what is refused says
// why. No shared cache keeps the answer.
func TestBarredTokensReadAsSignedOut(t *testing.T) {
	for how, tt := range bars {
		w, tokens := barredTokens(t, how)
		for kind, token := range tokens {
			name, header := how+", "+kind, "Authorization: Bearer "+token
			ask := func(document string) (a barredAnswer) {
				t.Helper()
				resp := w.post(document, header)
				if must.OK(t, json.Unmarshal(resp.Body.Bytes(), &a)); resp.Code != 200 {
					t.Errorf("%s: %s gets status %d", name, document, resp.Code)
				}
				return a
			}
			a := ask(`{ viewer { id } site { name } }`)
			a.wantWhy(t, name, tt.want)
			if a.Data["viewer"] != nil || a.Data["site"] == nil || !reflect.DeepEqual(a.Errors[0].Path, []any{"viewer"}) {
				t.Errorf("%s: %+v; want the page, and no viewer", name, a)
			}
			ask(`mutation { updateProfile(input: {bio: "Hello"}) { errors { code } } }`).wantWhy(t, name+", mutation", tt.want)
			ask(`{ preview(content: "x") { excerpt } }`).wantWhy(t, name+", preview", tt.want)
			resp := w.do("GET", "/graphql?query="+url.QueryEscape(`{ site { name } }`), "", header)
			if said := resp.Header().Get("Cache-Control"); resp.Code != 200 || strings.Contains(said, "public") {
				t.Errorf("%s: a GET gets %d, Cache-Control %q; want 200, not public", name, resp.Code, said)
			}
		}
	}
}

// A socket and a stream are as signed out, too, and nobody else gets the reason.
func TestBarredTokensOpenSockets(t *testing.T) {
	const document = `subscription { notificationAdded { kind } }`
	w, tokens := barredTokens(t, "for a time")
	want := bars["for a time"].want
	for kind, token := range tokens {
		c := w.signedIn(token)
		c.subscribe("1", `{ site { name } }`)
		if got := c.read(); !strings.Contains(got, `"name"`) {
			t.Errorf("%s: %s; want the site", kind, got)
		}
		c.read() // complete
		c.subscribe("2", document)
		guest := w.connect()
		guest.subscribe("2", document)
		if got := c.read(); !strings.Contains(got, `"until":"`+barredUntilText) {
			t.Errorf("%s: a subscription gets %s; want %v", kind, got, want)
		}
		guest.wantError("2", "UNAUTHENTICATED")
		resp := w.do("POST", "/graphql", bodyOf(document), isJSON, acceptEvents, "Authorization: Bearer "+token)
		if got := resp.Body.String(); resp.Code != 200 || !strings.Contains(got, barredUntilText) {
			t.Errorf("%s: a stream gets %d %s; want %v", kind, resp.Code, got, want)
		}
	}
}
