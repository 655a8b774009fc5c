package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"agora/internal/forum"
	"agora/internal/test/gqltext"
	"agora/internal/test/testlevel"
)

// everything selects all fields of a type that need no argument, and their subfields, to a depth.
func everything(schema *ast.Schema, typ string, depth int) string {
	d := schema.Types[typ]
	var b strings.Builder
	b.WriteString("{ __typename ")
	if d.IsAbstractType() {
		for _, possible := range schema.GetPossibleTypes(d) {
			fmt.Fprintf(&b, "... on %s %s ", possible.Name, everything(schema, possible.Name, depth))
		}
		return b.String() + "}"
	}
	for _, f := range d.Fields {
		inner := schema.Types[f.Type.Name()]
		needs := false
		for _, a := range f.Arguments {
			needs = needs || a.Type.NonNull && a.DefaultValue == nil
		}
		switch {
		case needs || strings.HasPrefix(f.Name, "__"):
		case inner.IsLeafType():
			if f.Name == "state" { // types of a union have different ones
				b.WriteString(strings.ToLower(typ) + "State: ")
			}
			b.WriteString(f.Name + " ")
		case depth > 0:
			b.WriteString(f.Name + " " + everything(schema, f.Type.Name(), depth-1) + " ")
		}
	}
	return b.String() + "}"
}

// No query of another user returns an e-mail address, a session or an API token: it selects all reachable fields.
func TestEmailsAndSessionsAreTheirOwners(t *testing.T) {
	testlevel.Usual(t)
	b := newFullSite(t)
	secret := "Secret.Ann@Hidden.Example.net"
	b.by("Anns Telephone").signIn("ann")
	b.wantVerdict("e-mail", b.mutate(b.ann, "changeEmail", input{"password": "a good password", "email": secret}, ""), "")
	token := b.mutate(b.ann, "createToken", input{"name": "Anns Telephone", "scopes": []string{"READ"}}, "token").text(
		"createToken", "token")
	b.wantVerdict("vote", b.vote(b.ann, b.other, "UP"), "")
	mention := b.comment1(b.bob, "As @ann said")
	b.settle()
	schema := gqltext.Schema(t)
	ids := map[string]string{"Viewer": gid("Viewer", fmt.Sprint(userOf(b.ann))), "User": userID(b.ann),
		"Session": sessionID(b.ann), "ApiToken": tokenID(token),
		"Topic": b.topic, "Comment": b.comment, "Category": b.tea, "Tab": b.tab, "Timeline": gid("Timeline", "front:0:active:desc"),
		"Tag": b.must("", `{ tag(name: "green") { id } }`, nil).text("tag", "id")}
	queries := []string{"{ viewer " + everything(schema, "Viewer", 2) + " }",
		"{ site " + everything(schema, "Site", 1) + " }",
		`{ user(by: {login: "ann"}) ` + everything(schema, "User", 2) + " }", "{ front " + everything(schema, "Timeline", 3) + " }",
		`{ topic(by: {id: "` + b.other + `"}) { voters ` + everything(schema, "UserConnection", 2) + " } }", "{ dayRank " + everything(schema, "Timeline", 3) + " }",
		fmt.Sprintf("{ nodes(ids: [%q]) { ... on Comment %s } }", mention, everything(schema, "Comment", 1))}
	for _, f := range schema.Types["Viewer"].Fields { // together they would be too many fields
		if d := schema.Types[f.Type.Name()]; !d.IsLeafType() {
			queries = append(queries, "{ viewer { "+f.Name+" "+everything(schema, d.Name, 2)+" } }")
		}
	}
	for _, d := range ownTypes(t) {
		if id, known := ids[d.Name]; known {
			queries = append(queries,
				fmt.Sprintf("{ node(id: %q) { ... on %s %s } }", id, d.Name, everything(schema, d.Name, 2)))
		}
	}
	admin := b.admin("ada")
	for who, token := range map[string]string{"signed out": "", "another": b.bob, "a moderator": b.mod,
		"an admin": admin} {
		for _, q := range queries {
			a := b.must(token, q, nil)
			shown := strings.ToLower(a.body)
			if strings.Contains(shown, "hidden.example") || strings.Contains(shown, "telephone") {
				t.Errorf("%s sees what is ann's: %s", who, a.body)
			}
		}
	}
	own := b.must(b.ann, queries[0], nil)
	wantEqual(t, "her own e-mail", own.text("viewer", "email"), secret)
	wantEqual(t, "her own sessions", len(own.texts("id", "viewer", "sessions")), 2)
	wantEqual(t, "her own token", own.texts("name", "viewer", "tokens"), []string{"Anns Telephone"})
	for _, field := range []string{`user(by: {login: "ann"}) { email }`, `user(by: {login: "ann"}) { sessions { id } }`, `node(id: "x") { ... on User { email } }`} {
		b.wantVerdict(field, b.ask(admin, "{ "+field+" }", nil), "GRAPHQL_VALIDATION_FAILED")
	}
}

// A payload of signing in as another user shows that user, while the token's owner stays the viewer of other fields.
func TestPayloadShowsTheNewSessionsOwner(t *testing.T) {
	s := newSite(t)
	ann := s.user("ann")
	s.user("bob")
	a := s.mutate(ann, "login", input{"identifier": "bob", "password": "a good password"},
		"token viewer { email user { login } sessions { isCurrent } }")
	wantEqual(t, "payload", a.at("login", "viewer"),
		any(map[string]any{"email": "bob@example.com", "user": map[string]any{"login": "bob"},
			"sessions": []any{map[string]any{"isCurrent": false}, map[string]any{"isCurrent": false}}}))
	wantEqual(t, "ann", s.must(ann, `{ viewer { email } }`, nil).text("viewer", "email"), "ann@example.com")
	s.promote(ann, forum.RoleAdmin)
	wantEqual(t, "a role shows nobody's e-mail", s.must(ann, `query($id: ID!) { node(id: $id) { id } }`, input{"id": gid("Viewer", fmt.Sprint(userOf(a.text("login", "token"))))}).at("node"), nil)
}
