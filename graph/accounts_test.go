package graph_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"agora/internal/forum"
	"agora/internal/store/accounts"
	"agora/internal/test/gqltext"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

var newcomer = input{"login": "Newcomer", "email": "New@Agora.org", "password": "a good password"}

const signedIn = "token expiresAt viewer { id user { id login } }"

// whoami returns the user that a token signs in, by status and login.
func (s *site) whoami(token string) string {
	s.t.Helper()
	a := s.ask(token, `{ viewer { user { login } } }`, nil)
	return strings.TrimSpace(fmt.Sprint(a.status, " ", a.code(), " ", a.text("viewer", "user", "login")))
}

func TestRegisterReportsAllErrorsTogether(t *testing.T) {
	s := newSite(t)
	a := s.mutate("", "register",
		input{"login": "a", "name": "\u200b", "email": "x", "password": "short", "idempotencyKey": ""}, signedIn)
	s.wantVerdict("register", a,
		"TOO_SHORT input.login; TOO_SHORT input.name; INVALID input.email; TOO_SHORT input.password; TOO_SHORT input.idempotencyKey")
	for _, field := range []string{"token", "expiresAt", "viewer"} {
		wantEqual(t, field+" on failure", a.at("register", field), nil)
	}
}

func TestRegisterRepeated(t *testing.T) {
	s := newSite(t)
	in := with(newcomer, "idempotencyKey", "once")
	first, second := s.mutate("", "register", in, signedIn), s.mutate("", "register", in, signedIn)
	for _, a := range []answer{first, second} {
		s.wantVerdict("register", a, "")
		wantEqual(t, "signed in", s.whoami(a.text("register", "token")), "200  Newcomer")
	}
	wantEqual(t, "the account", second.text("register", "viewer", "user", "id"),
		first.text("register", "viewer", "user", "id"))
	wantEqual(t, "one token for both calls", first.text("register", "token") == second.text("register", "token"), false)
	other := s.mutate("", "register", with(in, "password", "another password"), signedIn)
	s.wantVerdict("with another password", other, "IDEMPOTENCY_CONFLICT input.idempotencyKey")
	wantEqual(t, "token with another password", other.at("register", "token"), nil)
	s.wantVerdict("without the key", s.mutate("", "register", newcomer, signedIn), "TAKEN input.login; TAKEN input.email")
	stranger := with(with(in, "login", "stranger"), "email", "stranger@agora.org")
	s.wantVerdict("a stranger's same key", s.mutate("", "register", stranger, signedIn), "")
}

// Signing in does not reveal whether an account exists: the answer is the same, and so is the work, in round trips
// and in password hashes.
func TestWrongCredentialsAreAllTheSame(t *testing.T) {
	testlevel.WithoutRace(t)
	s := newSite(t, limited, costly)
	s.user("ann")
	imported := accounts.NewUser{Login: "old", LoginFold: "old", Name: "Old", Email: "old@example.com",
		EmailFold: "old@example.com"}
	must.Do(s.store.Accounts.Register(context.Background(), imported))(t)
	want := s.mutate("", "login", input{"identifier": "ann", "password": "a bad password"}, signedIn)
	s.wantVerdict("wrong password", want, "WRONG_CREDENTIALS input.password")
	try := func(identifier, password string) {
		s.forgetCalls()
		var got answer
		n := hashes(func() { got = s.mutate("", "login", input{"identifier": identifier, "password": password}, signedIn) })
		// round trips included
		wantEqual(t, fmt.Sprintf("answer to %q with %.20q", identifier, password), got.body, want.body)
		wantEqual(t, fmt.Sprintf("passwords hashed for %q with %.20q", identifier, password), n, 1)
	}
	for _, identifier := range []string{"nobody", "bob", "ann@example.com", "bob@example.com", "", "ghost", "a b", "@",
		"\x00", "old", "OLD@example.com"} {
		try(identifier, "a bad password")
	}
	for _, password := range []string{"", "x", "A good password", strings.Repeat("x", 10_000), "\x00",
		"a good\u200b password"} {
		try("ann", password)
		try("nobody", password)
		try("old", password)
	}
}

func TestLogout(t *testing.T) {
	s := newSite(t)
	first, bob := s.user("ann"), s.user("bob")
	tokens := []string{first}
	for range 2 {
		tokens = append(tokens, s.signIn("ann"))
	}
	id := sessionID
	steps := []struct {
		name, token string
		in          input
		want, ended string
	}{
		{"the current one", tokens[0], input{}, "", id(tokens[0])},
		{"another's", bob, input{"sessionId": id(tokens[1])}, "NOT_FOUND input.sessionId", ""},
		{"by id", tokens[1], input{"sessionId": id(tokens[2])}, "", id(tokens[2])},
		{"once more", tokens[1], input{"sessionId": id(tokens[2])}, "NOT_FOUND input.sessionId", ""},
		{"the current one by null", tokens[1], input{"sessionId": nil}, "", id(tokens[1])},
	}
	for _, step := range steps {
		a := s.mutate(step.token, "logout", step.in, "endedSessionId")
		s.wantVerdict(step.name, a, step.want)
		wantEqual(t, step.name, a.text("logout", "endedSessionId"), step.ended)
	}
	for _, token := range tokens {
		wantEqual(t, "after logout", s.whoami(token), "401 UNAUTHENTICATED")
	}
	wantEqual(t, "bob", s.whoami(bob), "200  bob")
}

// header asks who is signed in with a complete Authorization header.
func (s *site) header(authorization string) *http.Response {
	s.t.Helper()
	req := must.Do(http.NewRequest("POST", s.url+"/graphql", strings.NewReader(`{"query": "{ viewer { id } }"}`)))(s.t)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", authorization)
	resp := must.Do(http.DefaultClient.Do(req))(s.t)
	resp.Body.Close()
	return resp
}

func TestMalformedTokens(t *testing.T) {
	s := newSite(t)
	ann, bob := s.user("ann"), s.user("bob")
	_, annSecret, _ := strings.Cut(strings.TrimPrefix(ann, "agora_"), "_")
	bobID, _, _ := strings.Cut(strings.TrimPrefix(bob, "agora_"), "_")
	good := []string{"Bearer " + ann, "bearer " + ann, "BEARER  " + ann}
	bad := []string{"Bearer", "Bearer ", ann, "Basic " + ann, "Bearer x", "Bearer agora_", "Bearer agora__",
		"Bearer agora_1_", "Bearer " + ann[:len(ann)-1], "Bearer " + ann + "A",
		"Bearer " + ann + "=", "Bearer " + strings.ToUpper(ann), "Bearer " + strings.Replace(ann, "agora_", "agora_0", 1), "Bearer agora_" + bobID + "_" + annSecret,
		"Bearer agora_0_" + annSecret, "Bearer agora_-5_" + annSecret, "Bearer agora_99999999999_" + annSecret, "Bearer " + ann + " " + bob, "Bearer " + strings.Repeat("A", 5000), "Bearer \xff"}
	for _, h := range good {
		if got := s.header(h).StatusCode; got != 200 {
			t.Errorf("Authorization %q: status %d; want 200", h, got)
		}
	}
	for _, h := range bad {
		resp := s.header(h)
		if got := resp.Header.Get("WWW-Authenticate"); resp.StatusCode != 401 || got != `Bearer error="invalid_token"` {
			t.Errorf("Authorization %q: status %d, WWW-Authenticate %q; want 401 and Bearer", h, resp.StatusCode, got)
		}
	}
	if log := s.log.String(); strings.Contains(log, annSecret[:40]) {
		t.Errorf("the log holds a token: %s", log)
	}
}

// leastInput is an input with the required fields only, and ids of nothing.
func leastInput(schema *ast.Schema, d *ast.Definition) input {
	in := input{}
	for _, f := range d.Fields {
		switch {
		case f.Type.Name() == "ID" && f.Type.Elem == nil:
			in[f.Name] = gid("Topic", "77777")
			if d.Directives.ForName("oneOf") != nil {
				return in
			}
		case !f.Type.NonNull || f.DefaultValue != nil:
		case schema.Types[f.Type.Name()].Kind == ast.Enum:
			in[f.Name] = schema.Types[f.Type.Name()].EnumValues[0].Name
		case schema.Types[f.Type.Name()].Kind == ast.InputObject:
			in[f.Name] = leastInput(schema, schema.Types[f.Type.Name()])
		case f.Type.Name() == "Int":
			in[f.Name] = 1
		case f.Type.Name() == "Boolean":
			in[f.Name] = true
		default:
			in[f.Name] = "x"
		}
	}
	return in
}

// guarded returns the mutations with @auth and the role that each requires.
func guarded(t *testing.T, schema *ast.Schema) map[string]forum.Role {
	t.Helper()
	found := map[string]forum.Role{}
	for _, d := range schema.Types {
		for _, f := range d.Fields {
			directive := f.Directives.ForName("auth")
			if directive == nil {
				continue
			}
			switch d.Name + "." + f.Name {
			// TestSubscriptionsAreRefused, TestPreviews, TestResolveReportsIsRefused, TestReportAddedIsRefused and
			// TestBlocklist, TestTasks and TestApplications have them.
			case "Subscription.notificationAdded", "Query.preview", "Query.reportQueue", "Subscription.reportAdded",
				"Query.blocklist", "Query.tasks", "Query.applications":
				continue
			}
			if d.Name != "Mutation" {
				t.Errorf("%s.%s has @auth: let this test reach it", d.Name, f.Name)
				continue
			}
			found[f.Name] = forum.RoleUser
			if a := directive.Arguments.ForName("requires"); a != nil {
				found[f.Name] = forum.Role(a.Value.Raw)
			}
		}
	}
	if len(found) < 19 {
		t.Errorf("@auth is at %v; want it at 19 mutations or more", found)
	}
	return found
}

// Every field with @auth, including future ones, allows its role and no lower one.
func TestAuthOfEveryField(t *testing.T) {
	s := newSite(t)
	schema := gqltext.Schema(t)
	tokens := map[forum.Role]string{forum.RoleUser: s.user("ann"), forum.RoleModerator: s.moderator("mia"),
		forum.RoleAdmin: s.user("ada")}
	s.promote(tokens[forum.RoleAdmin], forum.RoleAdmin)
	s.settle()
	for field, requires := range guarded(t, schema) {
		in := leastInput(schema, schema.Types[schema.Mutation.Fields.ForName(field).Arguments[0].Type.Name()])
		refused := map[string]string{"": "UNAUTHENTICATED"}
		for role, token := range tokens {
			if !role.Includes(requires) {
				refused[token] = "FORBIDDEN"
			}
		}
		before := s.contents()
		for token, want := range refused {
			a := s.mutate(token, field, in, "")
			s.wantVerdict(field, a, want)
			wantEqual(t, field, a.Data[field], nil)
			s.wantUntouched(field, before, a)
		}
		if a := s.mutate(tokens[requires], field, in, ""); a.Data[field] == nil && a.code() != "BAD_USER_INPUT" {
			t.Errorf("%s by a %s: %s; want it allowed", field, requires, a.body)
		}
		s.settle()
	}
}
