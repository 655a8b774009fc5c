package graph_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
)

// registration is the input that login registers with.
func registration(login, email string) input {
	return input{"login": login, "email": email, "password": "a good password"}
}

// all sends the registrations concurrently and returns the verdicts.
func (s *site) all(in []input) []string {
	s.t.Helper()
	verdicts := make([]string, len(in))
	var wg sync.WaitGroup
	for i := range in {
		wg.Go(func() {
			verdicts[i] = s.mutate("", "register", in[i], "").verdict()
		})
	}
	wg.Wait()
	return verdicts
}

func TestNameAndEmailMustBeUnused(t *testing.T) {
	s := newSite(t)
	s.wantVerdict("the first", s.mutate("", "register", registration("ann", "ann@example.com"), ""), "")
	tests := []struct {
		name, login, email, want string
	}{
		{"name in use", "ann", "other@example.com", "TAKEN input.login"},
		{"e-mail in use", "other", "ann@example.com", "TAKEN input.email"},
		{"both in use", "ann", "ann@example.com", "TAKEN input.login; TAKEN input.email"},
		{"both unused, after they were refused", "other", "other@example.com", ""},
	}
	for _, tt := range tests {
		s.wantVerdict(tt.name, s.mutate("", "register", registration(tt.login, tt.email), ""), tt.want)
	}
	for field, want := range map[string]string{"login": "TOO_SHORT", "email": "INVALID", "password": "TOO_SHORT"} {
		s.wantVerdict("no "+field, s.mutate("", "register", with(newcomer, field, ""), ""), want+" input."+field)
		without := with(newcomer, field, nil)
		delete(without, field)
		wantEqual(t, "without "+field, s.mutate("", "register", without, "").Data["register"], nil)
	}
}

// There is a set for each unique property: a value in one is not in the other.
func TestEachPropertyHasItsOwnSet(t *testing.T) {
	s := newSite(t)
	s.user("ann")
	s.user("bob")
	s.settle()
	wantEqual(t, "claims: two logins, two e-mails", len(s.claims()), 4)
	for _, in := range []input{registration("cid", "ann@example.com"), registration("bob", "cid@example.com"),
		registration("ann", "bob@example.com")} {
		verdict := s.mutate("", "register", in, "").verdict()
		wantEqual(t, fmt.Sprint(in), strings.HasPrefix(verdict, "TAKEN"), true)
	}
	s.settle()
	wantEqual(t, "claims after refused registrations", len(s.claims()), 4)
	s.wantVerdict("what refused registrations wanted is free",
		s.mutate("", "register", registration("cid", "cid@example.com"), ""), "")
	value := s.mutate("", "register", registration("CID", "new@example.com"),
		"errors { __typename ... on TakenError { value } }")
	wantEqual(t, "TakenError", value.at("register", "errors", 0, "value"), any("cid"))
}

// Of all concurrent registrations of a login, however it is written, one succeeds.
func TestLoginIsDecidedOnceInAnyCase(t *testing.T) {
	s := newSite(t)
	var in []input
	for i, login := range []string{"newcomer", "NEWCOMER", "Newcomer", "nEwCoMeR", "ｎｅｗｃｏｍｅｒ", "ＮＥＷcomer", "newComer",
		"newcomeR"} {
		in = append(in, registration(login, fmt.Sprintf("mail%d@example.com", i)))
	}
	won := 0
	for i, verdict := range s.all(in) {
		switch verdict {
		case "":
			won++
		case "TAKEN input.login", "TAKEN input.email", "TAKEN input.login; TAKEN input.email", "CONFLICT":
		default:
			t.Errorf("register %s is refused with %q", in[i]["login"], verdict)
		}
	}
	wantEqual(t, "who got it", won, 1)
	for _, one := range in {
		if verdict := s.mutate("", "register", one, "").verdict(); !strings.HasPrefix(verdict, "TAKEN input.login") {
			t.Errorf("register %s afterwards is refused with %q", one["login"], verdict)
		}
	}
	s.settle()
	wantEqual(t, "claims of one account", len(s.claims()), 2)
}

// X1: the documents' code checks whether a name exists and then adds it, drops the answer of the second, and has no
// index of names at all.
func TestNamesAreReservedTogetherOrNotAtAll(t *testing.T) {
	s := newSite(t)
	var in []input
	for i := range 32 {
		in = append(in, registration(fmt.Sprintf("login%d", i%4), fmt.Sprintf("mail%d@example.com", i/4%4)))
	}
	won := map[string]int{}
	for i, verdict := range s.all(in) {
		if verdict == "" {
			won[in[i]["login"].(string)]++
			won[in[i]["email"].(string)]++
		}
	}
	for name, n := range won {
		wantEqual(t, "owners of "+name, n, 1)
	}
	s.clock.Advance(31 * second) // abandon what is still in progress
	s.settle()
	if got, want := len(s.claims()), len(won); got != want {
		t.Errorf("%d names are claimed; want %d: %v", got, want, s.claims())
	}
	for i := range 4 { // none is blocked
		login, email := fmt.Sprintf("login%d", i), fmt.Sprintf("mail%d@example.com", i)
		free := s.mutate("", "register", registration(login, fmt.Sprintf("new%d@example.com", i)), "").verdict()
		wantEqual(t, "register "+login+" afterwards", free, map[int]string{1: "TAKEN input.login"}[won[login]])
		free = s.mutate("", "register", registration(fmt.Sprintf("new%d", i), email), "").verdict()
		wantEqual(t, "register "+email+" afterwards", free, map[int]string{1: "TAKEN input.email"}[won[email]])
	}
}

// X3: the documents store passwords in plain text, compare them as texts, and return them with the user.
func TestPasswordsAreHashedAndNeverShown(t *testing.T) {
	s := newSite(t, costly)
	ann := s.userWith("ann", "correct horse battery staple")
	s.userWith("bob", "correct horse battery staple")
	hashes := map[string]bool{}
	for _, login := range []string{"ann", "bob"} {
		found, err := s.store.Sessions.Credentials(context.Background(), login, false)
		if err != nil || !strings.HasPrefix(found.PasswordHash, "$argon2id$v=19$m=19456,t=2,p=1$") {
			t.Errorf("stored for %s: %+v, %v; want argon2id of 19 MiB and two passes", login, found, err)
		}
		hashes[found.PasswordHash] = true
	}
	wantEqual(t, "hashes of one password", len(hashes), 2)
	if all := fmt.Sprint(s.contents()); strings.Contains(all, "correct horse") {
		t.Error("a password is in Redis")
	}
	a := s.mutate(ann, "changePassword", input{"currentPassword": "correct horse battery staple",
		"newPassword": "staple battery horse correct"}, privateViewer)
	if strings.Contains(a.body, "staple") || strings.Contains(a.body, "argon2") ||
		strings.Contains(s.log.String(), "staple") {
		t.Errorf("a password is shown or logged: %s, %s", a.body, s.log)
	}
	for _, d := range ownTypes(t) {
		readable := d.Kind != ast.InputObject && d.Name != "Mutation"
		if slices.ContainsFunc(d.Fields, func(f *ast.FieldDefinition) bool {
			return strings.Contains(strings.ToLower(f.Name), "password")
		}) && readable {
			t.Errorf("%s has a field with a password", d.Name)
		}
	}
}

// X4: the documents compare e-mails as they are typed, and lower() is not Unicode case folding.
func TestNamesAreFoldedAsUnicodeSays(t *testing.T) {
	s := newSite(t)
	s.wantVerdict("Greek", s.mutate("", "register", registration("σίσυφος", "σίσυφος@agora.org"), ""), "")
	s.wantVerdict("German", s.mutate("", "register", registration("straße", "straße@agora.org"), ""), "")
	tests := []struct{ field, value string }{
		{"login", "ΣΊΣΥΦΟΣ"}, {"login", "σίσυφοσ"}, {"login", "ΣΙ\u0301ΣΥΦΟΣ"}, // capital, no final sigma, decomposed
		{"email", "ΣΊΣΥΦΟΣ@AGORA.ORG"}, {"email", "σίσυφοσ@agora.org"}, {"email", "σι\u0301συφος@agora.org"},
		{"login", "STRASSE"}, {"login", "ＳＴＲＡẞＥ"}, {"email", "STRASSE@agora.org"}, {"email", "straẞe@AGORA.org"},
	}
	for _, tt := range tests {
		in := with(registration("another", "another@agora.org"), tt.field, tt.value)
		s.wantVerdict(tt.value, s.mutate("", "register", in, ""), "TAKEN input."+tt.field)
		wantEqual(t, "sign in as "+tt.value, s.signsIn(tt.value, "a good password"), true)
	}
	a := s.must("", `{ user(by: {login: "ΣΊΣΥΦΟΣ"}) { login } }`, nil)
	wantEqual(t, "shown as written", a.text("user", "login"), "σίσυφος")
}
