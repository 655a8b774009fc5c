package graph_test

import (
	"strings"
	"testing"
	"time"

	"agora/graph"
	"agora/internal/forum"
	"agora/internal/issuer"
	"agora/internal/signin"
	"agora/internal/test/issuertest"
)

// memberSite is a site whose members come from an issuer. Boss is an administrator there.
type memberSite struct {
	*site
	of   *issuertest.Issuer
	boss string
}

func newMemberSite(t *testing.T, options ...func(*graph.Resolver)) *memberSite {
	t.Helper()
	m := &memberSite{of: issuertest.New(t)}
	m.site = newSite(t, append(options, func(r *graph.Resolver) {
		m.of.Now = func() time.Time { return time.UnixMilli(int64(r.Store.Engine.Now())) }
		r.SignIn = signin.New(r.Store, issuer.New([]issuer.Config{m.of.Config()}, r.Log, m.of.Now), r.Log)
	})...)
	m.boss = m.of.Token(t, "boss", issuertest.Claims{"preferred_username": "boss", "role": "admin"})
	return m
}

// external is the account of a subject, as in an input.
func (m *memberSite) external(subject string) input {
	return input{"issuer": m.of.URL, "subject": subject}
}

// upsert sets a member's values and returns the answer.
func (m *memberSite) upsert(in input) answer {
	m.t.Helper()
	return m.mutate(m.boss, "upsertUser", in, "created user { login name avatarUrl role external { issuer subject } }")
}

func TestMembersOfAnIssuer(t *testing.T) {
	m := newMemberSite(t)
	a := m.upsert(input{"external": m.external("7"), "login": "mara", "name": "Mara", "avatarUrl": "https://img.example/m", "role": "MODERATOR"})
	user := func(name, role string) map[string]any {
		return map[string]any{"login": "mara", "name": name, "avatarUrl": "https://img.example/m", "role": role,
			"external": []any{map[string]any{"issuer": m.of.URL, "subject": "7"}}}
	}
	wantEqual(t, "the member", a.at("upsertUser", "user"), any(user("Mara", "MODERATOR")))
	wantEqual(t, "created", a.at("upsertUser", "created"), any(true))
	a = m.upsert(input{"external": m.external("7"), "name": "Mara Lind", "role": "USER"})
	wantEqual(t, "the member, changed", a.at("upsertUser", "user"), any(user("Mara Lind", "USER")))
	wantEqual(t, "created again", a.at("upsertUser", "created"), any(false))

	token := m.of.Token(t, "7", issuertest.Claims{"name": "Other", "role": "admin", "iat": m.of.Now().Unix() - 10})
	found := m.must(token, `{ viewer { user { login name role } } }`, nil)
	wantEqual(t, "an older token", found.at("viewer", "user"), any(map[string]any{"login": "mara", "name": "Mara Lind", "role": "USER"}))

	for _, login := range []string{"lina", "mara"} { // as often as the site's server says another one
		a = m.upsert(input{"external": m.external("7"), "login": login})
		wantEqual(t, "the login", a.text("upsertUser", "user", "login"), login)
	}

	query := `query($of: ExternalAccountInput!) { user(by: {external: $of}) { login external { subject } } }`
	found = m.must(m.boss, query, input{"of": m.external("7")})
	wantEqual(t, "by account", found.text("user", "login"), "mara")
	wantEqual(t, "by account, unknown", m.must(m.boss, query, input{"of": m.external("8")}).at("user"), any(nil))
	wantEqual(t, "by account, by a member", m.ask(token, query, input{"of": m.external("7")}).code(), "FORBIDDEN")
	hidden := m.must(token, `{ user(by: {login: "mara"}) { external { subject } } }`, nil)
	wantEqual(t, "accounts that a member sees", hidden.at("user", "external"), any(nil))

	wantEqual(t, "signIn", m.must("", `{ site { signIn { local issuers page } } }`, nil).at("site", "signIn"),
		any(map[string]any{"local": true, "issuers": []any{m.of.URL}, "page": nil}))
}

func TestBadMembersAreRefused(t *testing.T) {
	m := newMemberSite(t)
	for _, tt := range []struct {
		name, want string
		in         input
	}{
		{"unknown issuer", "INVALID input.external.issuer", input{"external": input{"issuer": "x", "subject": "7"}}},
		{"no subject", "INVALID input.external.subject", input{"external": m.external("")}},
		{"name", "INVALID input.name", input{"external": m.external("7"), "name": "a\nb"}},
		{"no name", "TOO_SHORT input.name", input{"external": m.external("7"), "name": ""}},
		{"picture", "INVALID input.avatarUrl", input{"external": m.external("7"), "avatarUrl": "javascript:x"}},
	} {
		wantEqual(t, tt.name, m.upsert(tt.in).verdict(), tt.want)
	}
	member := m.of.Token(t, "8", nil)
	m.must(member, `{ viewer { id } }`, nil)
	for field, in := range map[string]input{"upsertUser": {"external": m.external("7")}, "deactivateUser": {"userId": m.idOf("boss")},
		"deleteUser": {"userId": m.idOf("boss")}, "endSessions": {"userId": m.idOf("boss")}} {
		wantEqual(t, field+" by a member", m.mutate(member, field, in, "").code(), "FORBIDDEN")
	}
	for field, want := range map[string]string{"deactivateUser": "SELF input.userId", "deleteUser": "SELF input.userId"} {
		wantEqual(t, field+" of oneself", m.mutate(m.boss, field, input{"userId": m.idOf("boss")}, "").verdict(), want)
	}
	wantEqual(t, "renewToken by a request", m.mutate(member, "renewToken", input{"token": member}, "").verdict(), "INVALID ")
}

// idOf returns the id of a user, who signs in first.
func (m *memberSite) idOf(login string) string {
	m.t.Helper()
	m.must(m.boss, `{ viewer { id } }`, nil)
	return m.must("", `query($l: String!) { user(by: {login: $l}) { id } }`, input{"l": login}).text("user", "id")
}

// What administrators do to a member ends all ways to sign in.
func TestMembersAreKeptOut(t *testing.T) {
	m := newMemberSite(t)
	token := m.of.Token(t, "7", issuertest.Claims{"preferred_username": "mara"})
	m.must(token, `{ viewer { id } }`, nil)
	local := m.user("ann")
	id, ann := m.idOf("mara"), m.idOf("ann")

	m.mutate(m.boss, "deactivateUser", input{"userId": id}, "")
	wantEqual(t, "a deactivated member", m.ask(token, `{ viewer { id } }`, nil).code(), "DEACTIVATED")
	m.mutate(m.boss, "deactivateUser", input{"userId": ann}, "")
	wantEqual(t, "a deactivated user's session", m.ask(local, `{ viewer { id } }`, nil).code(), "UNAUTHENTICATED")
	in := input{"identifier": "ann", "password": "a good password"}
	wantEqual(t, "a deactivated user's password", m.mutate("", "login", in, "").verdict(), "DEACTIVATED ")
	for _, of := range []string{id, ann} {
		m.mutate(m.boss, "deactivateUser", input{"userId": of, "deactivated": false}, "")
	}
	m.must(token, `{ viewer { id } }`, nil)
	local = m.mutate("", "login", in, "token").text("login", "token")

	m.mutate(m.boss, "endSessions", input{"userId": ann}, "")
	wantEqual(t, "a session that was ended", m.ask(local, `{ viewer { id } }`, nil).code(), "UNAUTHENTICATED")
	m.clock.Advance(second)
	m.must(m.boss, `{ viewer { id } }`, nil)
	m.mutate(token, "endSessions", input{}, "")
	wantEqual(t, "a token from before", m.ask(token, `{ viewer { id } }`, nil).code(), "UNAUTHENTICATED")

	wantEqual(t, "deleteUser", m.mutate(m.boss, "deleteUser", input{"userId": id}, "deletedUserId").text("deleteUser", "deletedUserId"), id)
	m.clock.Advance(second)
	wantEqual(t, "a deleted member", m.ask(m.of.Token(t, "7", nil), `{ viewer { id } }`, nil).code(), "DEACTIVATED")
	wantEqual(t, "upsertUser of a deleted member", m.upsert(input{"external": m.external("7")}).verdict(), "DEACTIVATED input.external")
}

func TestSiteWithoutPasswords(t *testing.T) {
	const page = "https://www.example.org/login"
	m := newMemberSite(t, func(r *graph.Resolver) { r.NoPasswords, r.SignInPage = true, page })
	token := m.of.Token(t, "7", issuertest.Claims{"email": "mara@example.org", "email_verified": true})
	for field, in := range map[string]input{
		"register":       {"login": "ann", "email": "ann@example.org", "password": "a good password"},
		"login":          {"identifier": "ann", "password": "a good password"},
		"changePassword": {"currentPassword": "a good password", "newPassword": "another good password"},
	} {
		wantEqual(t, field, m.mutate(token, field, in, "").verdict(), "FORBIDDEN ")
	}
	wantEqual(t, "signIn", m.must("", `{ site { signIn { local page } } }`, nil).at("site", "signIn"),
		any(map[string]any{"local": false, "page": page}))
	wantEqual(t, "the e-mail", m.must(token, `{ viewer { email } }`, nil).at("viewer", "email"), any(nil))
	wantEqual(t, "the role", forum.Role(m.must(token, `{ viewer { user { role } } }`, nil).text("viewer", "user", "role")), forum.RoleUser)
}

// An administrator gives a member's account at the issuer to another user, and takes it back; what was changed here is
// left to the issuer again.
func TestAccountsAreLinked(t *testing.T) {
	m := newMemberSite(t)
	ann := m.user("ann")
	id := m.idOf("ann")
	token := func(name string) string {
		m.clock.Advance(2 * time.Minute)
		return m.of.Token(t, "7", issuertest.Claims{"preferred_username": "mara", "name": name, "role": "moderator"})
	}
	whoami := func(token string) any {
		return m.must(token, `{ viewer { user { login name role } } }`, nil).at("viewer", "user")
	}
	user := func(login, name, role string) any {
		return map[string]any{"login": login, "name": name, "role": role}
	}
	wantEqual(t, "before", whoami(token("Mara")), user("mara", "Mara", "MODERATOR"))
	link := input{"userId": id, "external": m.external("7")}
	m.boss = m.of.Token(t, "boss", issuertest.Claims{"role": "admin"})
	wantEqual(t, "of another user", m.mutate(m.boss, "linkAccount", link, "").verdict(), "TAKEN input.external")
	link["take"] = true
	a := m.mutate(m.boss, "linkAccount", link, "user { external { subject } }")
	wantEqual(t, "linked", a.at("linkAccount", "user", "external"), any([]any{map[string]any{"subject": "7"}}))
	wantEqual(t, "after", whoami(token("Mara")), user("ann", "ann", "USER"))

	wantEqual(t, "a role by a member", m.mutate(ann, "releaseValues", input{"values": []string{"ROLE"}}, "").verdict(), "FORBIDDEN input.values")
	wantEqual(t, "a name", m.mutate(ann, "releaseValues", input{"values": []string{"NAME"}}, "").verdict(), "")
	wantEqual(t, "with the name of the token", whoami(token("Liv")), user("ann", "Liv", "USER"))
	m.boss = m.of.Token(t, "boss", issuertest.Claims{"role": "admin"})
	wantEqual(t, "another's by a member", m.mutate(ann, "releaseValues", input{"userId": m.idOf("mara"), "values": []string{"NAME"}}, "").code(), "FORBIDDEN")
	m.mutate(m.boss, "releaseValues", input{"userId": id, "values": []string{"ROLE"}}, "")
	wantEqual(t, "with the role of the token", whoami(token("Liv")), user("ann", "Liv", "MODERATOR"))
	wantEqual(t, "a login", m.mutate(ann, "releaseValues", input{"values": []string{"LOGIN"}}, "").verdict(), "")
	got := whoami(token("Liv")).(map[string]any)["login"].(string)
	wantEqual(t, "with a login of its own: that of the token is a moderator's", strings.HasPrefix(got, "user-"), true)

	m.boss = m.of.Token(t, "boss", issuertest.Claims{"role": "admin"})
	unlink := input{"userId": id, "external": m.external("7")}
	wantEqual(t, "unlinked", m.mutate(m.boss, "unlinkAccount", unlink, "").verdict(), "")
	wantEqual(t, "unlinked again", m.mutate(m.boss, "unlinkAccount", unlink, "").verdict(), "NOT_FOUND input.external")
	again := whoami(token("Mara")).(map[string]any)["login"].(string)
	wantEqual(t, "afterwards a new user", again != got && strings.HasPrefix(again, "user-"), true)
	for field, in := range map[string]input{"linkAccount": link, "unlinkAccount": unlink} {
		wantEqual(t, field+" by a member", m.mutate(ann, field, in, "").code(), "FORBIDDEN")
	}
}
