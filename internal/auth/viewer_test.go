package auth

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"agora/internal/forum"
	"agora/internal/test/must"
)

func TestCaller(t *testing.T) {
	if c := CallerFrom(context.Background()); c.Viewer != nil || c.Visitor != "" {
		t.Errorf("CallerFrom without caller = %+v; want the zero Caller", c)
	}
	viewer := &forum.Viewer{ID: 257, Role: forum.RoleUser}
	outer := WithCaller(t.Context(), Caller{Viewer: viewer, Visitor: "u257", Address: "a", UserAgent: "b"})
	inner, cancel := context.WithCancel(outer)
	defer cancel()
	if got := ViewerFrom(inner); got != viewer {
		t.Errorf("ViewerFrom = %v; want %v", got, viewer)
	}
	SignOut(inner)
	want := Caller{Visitor: "u257", Address: "a", UserAgent: "b"}
	for _, ctx := range []context.Context{inner, outer} { // for the whole request
		if got := CallerFrom(ctx); !reflect.DeepEqual(got, want) || ViewerFrom(ctx) != nil {
			t.Errorf("CallerFrom after SignOut = %+v; want %+v", got, want)
		}
	}
	SignOut(context.Background()) // no caller, no panic
}

func TestSessionNames(t *testing.T) {
	token := must.Do(NewToken(257))(t)
	name := SessionName(token.Digest())
	if !IsSessionName(name) || !strings.HasPrefix(token.Digest(), name) {
		t.Errorf("SessionName = %q; want the first digits of %s", name, token.Digest())
	}
	for _, s := range []string{"", name[:23], name + "0", strings.ToUpper("abcdef" + name[6:]), "g" + name[1:],
		" " + name[1:], token.Digest(), strings.Repeat("*", 24), "\x00" + name[1:]} {
		if IsSessionName(s) {
			t.Errorf("IsSessionName(%q) = true; want false", s)
		}
	}
}

func TestRandomPassword(t *testing.T) {
	seen := map[string]bool{}
	for range 100 {
		password := RandomPassword()
		if len(password) != 16 || seen[password] {
			t.Fatalf("RandomPassword() = %q; want 16 characters, different each time", password)
		}
		if err := CheckPassword(nil, password, "", "", "Agora"); err != nil {
			t.Errorf("CheckPassword(%q) = %v; want it accepted", password, err)
		}
		seen[password] = true
	}
}
