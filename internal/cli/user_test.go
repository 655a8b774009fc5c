package cli

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"agora/internal/store"
	"agora/internal/store/accounts"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/testlevel"
)

// login signs in through a server; it returns the token and the role, or the code of the error.
func (s started) login(t *testing.T, identifier, password string) (token, role string) {
	t.Helper()
	got := s.post(
		t,
		"",
		fmt.Sprintf(
			`mutation{login(input:{identifier:%q,password:%q}){token viewer{user{role}} errors{code}}}`,
			identifier,
			password,
		),
	)
	m := regexp.MustCompile(`"token":"([^"]+)","viewer":\{"user":\{"role":"([A-Z]+)"`).FindStringSubmatch(got)
	if m == nil {
		return "", regexp.MustCompile(`[A-Z_]{5,}`).FindString(got)
	}
	return m[1], m[2]
}

// userSite returns a server and the environment of commands on the same data.
func userSite(t *testing.T) (started, map[string]string) {
	t.Helper()
	env := map[string]string{"REDIS_URL": redistest.Start(t).URL(), "SIGN_IN_LIMIT": "0"}
	s := start(t, env, "--addr", "127.0.0.1:0")
	t.Cleanup(func() {
		if err := s.stop(); err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	return s, env
}

func TestUserCreate(t *testing.T) {
	testlevel.WithoutRace(t)
	s, env := userSite(t)
	out := commandReading(
		t,
		"a good password\n",
		env,
		"user",
		"create",
		"Ada",
		"--role",
		"ADMIN",
		"--email",
		"Ada@Example.com",
		"--name",
		"Ada L.",
	)
	if want := "Ada can now sign in, as ADMIN.\n"; out != want {
		t.Errorf("user create prints %q; want %q", out, want)
	}
	for _, identifier := range []string{"ada", "ADA@example.com"} {
		token, role := s.login(t, identifier, "a good password")
		if role != "ADMIN" {
			t.Fatalf("login as %s returns %s; want an ADMIN", identifier, role)
		}
		got := s.post(t, token, `{viewer{email user{login name}} site{userCount}}`)
		if want := `"viewer":{"email":"Ada@Example.com","user":{"login":"Ada","name":"Ada L."}}`; !strings.Contains(
			got,
			want,
		) {
			t.Errorf("viewer answers %s; want %s", got, want)
		}
	}
	made := command(t, env, "user", "create", "--generate", "bob")
	m := regexp.MustCompile(`^bob can now sign in, as USER, with the password (\S{16})\.\n$`).FindStringSubmatch(made)
	if m == nil {
		t.Fatalf("user create --generate prints %q", made)
	}
	token, role := s.login(t, "bob", m[1])
	if role != "USER" {
		t.Errorf("login with the generated password gives %s", role)
	}
	if got := s.post(t, token, `{viewer{email}}`); !strings.Contains(got, `"email":null`) {
		t.Errorf("viewer without e-mail answers %s", got)
	}
	if out := command(t, env, "check"); !strings.Contains(out, "no invariant is broken") {
		t.Errorf("check prints %q", out)
	}
}

// register adds an account that the command line cannot make.
func register(t *testing.T, env map[string]string, in accounts.NewUser) {
	t.Helper()
	conn := must.Do(store.Connect(context.Background(), env["REDIS_URL"], store.ConnectOptions{}))(t)
	defer conn.Close()
	data := must.Do(store.Open(context.Background(), conn, store.Layout{}))(t)
	defer data.Close()
	must.Do(data.Accounts.Register(context.Background(), in))(t)
}

func TestUserSetPassword(t *testing.T) {
	testlevel.WithoutRace(t)
	s, env := userSite(t)
	commandReading(t, "a good password", env, "user", "create", "ann", "--email", "ann@example.com") // without line feed
	token, _ := s.login(t, "ann", "a good password")
	if out, want := commandReading(t, "another password\r\nand more\n", env, "user", "set-password", "ANN"),
		"ANN has to sign in again.\n"; out != want {
		t.Errorf("user set-password prints %q; want %q", out, want)
	}
	if got := s.post(t, token, `{viewer{email}}`); !strings.Contains(got, "UNAUTHENTICATED") {
		t.Errorf("a session from before answers %s; want it ended", got)
	}
	if _, code := s.login(t, "ann", "a good password"); code != "WRONG_CREDENTIALS" {
		t.Errorf("login with the old password returns %s", code)
	}
	if _, role := s.login(t, "ann@example.com", "another password"); role != "USER" {
		t.Errorf("login with the new password returns %s", role)
	}

	// An imported account has no password.
	register(t, env, accounts.NewUser{Login: "old", LoginFold: "old", Name: "Old", Source: "v2ex:1"})
	if _, code := s.login(t, "old", ""); code != "WRONG_CREDENTIALS" {
		t.Errorf("login without password returns %s", code)
	}
	m := regexp.MustCompile(`with the password (\S{16})\.`).
		FindStringSubmatch(command(t, env, "user", "set-password", "--generate", "old"))
	if m == nil {
		t.Fatal("user set-password --generate prints no password")
	}
	if _, role := s.login(t, "old", m[1]); role != "USER" {
		t.Errorf("login of an imported account with its new password returns %s", role)
	}
}

func TestUserSetRole(t *testing.T) {
	testlevel.Usual(t)
	s, env := userSite(t)
	commandReading(t, "a good password\n", env, "user", "create", "ann")
	token, _ := s.login(t, "ann", "a good password")
	for _, role := range []string{"MODERATOR", "ADMIN", "USER"} {
		if out, want := command(t, env, "user", "set-role", "ann", role), "ann is "+role+" now.\n"; out != want {
			t.Errorf("user set-role prints %q; want %q", out, want)
		}
		if got := s.post(t, token, `{viewer{user{role}}}`); !strings.Contains(got, `"role":"`+role+`"`) {
			t.Errorf("an open session answers %s; want %s", got, role)
		}
	}
}

func TestUserRefusals(t *testing.T) {
	_, env := userSite(t)
	commandReading(t, "a good password\n", env, "user", "create", "ann", "--email", "ann@example.com")
	register(t, env, accounts.NewUser{Login: "cleo", LoginFold: "cleo", Name: "Cleo", Applies: true})
	const password = "a good password\n"
	tests := []struct {
		name, stdin string
		env         map[string]string
		args        []string
		want        string
	}{
		{"no store", password, nil, []string{"create", "bob"}, "user create needs --data DIR, or REDIS_URL"},
		{"no store", password, nil, []string{"set-password", "ann"}, "user set-password needs --data DIR, or REDIS_URL"},
		{"no store", "", nil, []string{"set-role", "ann", "USER"}, "user set-role needs --data DIR, or REDIS_URL"},
		{"no login", password, env, []string{"create"}, "pass a login"},
		{"two logins", password, env, []string{"create", "bob", "cid"}, "pass a login"},
		{"login in use, in any case", password, env, []string{"create", "ANN"}, "login: This login is taken."},
		{
			"e-mail in use",
			password,
			env,
			[]string{"create", "bob", "--email", "ANN@example.com"},
			"email: This email is taken.",
		},
		{"reserved login", password, env, []string{"create", "Admin"}, "is reserved"},
		{"login of the ghost", password, env, []string{"create", "ghost"}, "is reserved"},
		{"login that is none", password, env, []string{"create", "a b"}, "login: A login"},
		{"short login", password, env, []string{"create", "b"}, "login: login must have at least 2 characters."},
		{
			"e-mail that is none",
			password,
			env,
			[]string{"create", "bob", "--email", "nobody"},
			"email: This is not an e-mail address.",
		},
		{"name that is none", password, env, []string{"create", "bob", "--name", "a\x00b"}, "name: "},
		{"unknown role", password, env, []string{"create", "bob", "--role", "KING"}, "USER|MODERATOR|ADMIN"},
		{"role in small letters", password, env, []string{"create", "bob", "--role", "admin"}, "USER|MODERATOR|ADMIN"},
		{
			"no password",
			"",
			env,
			[]string{"create", "bob"},
			"pass the password as the first line of standard input, or use --generate",
		},
		{"empty line", "\nmore\n", env, []string{"create", "bob"}, "pass the password as the first line"},
		{
			"short password",
			"1234567\n",
			env,
			[]string{"create", "bob"},
			"password: password must have at least 8 characters.",
		},
		{"the login as password", "bobobobo\n", env, []string{"create", "BobObobo"}, "neither the login nor the e-mail"},
		{
			"the e-mail as password",
			"bob@example.com\n",
			env,
			[]string{"create", "bob", "--email", "Bob@example.com"},
			"neither the login nor the e-mail",
		},
		{"nobody's password", password, env, []string{"set-password", "nobody"}, `there is no user "nobody"`},
		{"an applicant's password", password, env, []string{"set-password", "cleo"}, `have not approved "cleo"`},
		{"an applicant's role", "", env, []string{"set-role", "cleo", "ADMIN"}, `have not approved "cleo"`},
		{"password of no login", password, env, []string{"set-password", "a b"}, `"a b" is not a valid login`},
		{"no new password", "", env, []string{"set-password", "ann"}, "pass the password as the first line"},
		{"short new password", "x\n", env, []string{"set-password", "ann"}, "at least 8"},
		{
			"the e-mail as new password",
			"ann@example.com",
			env,
			[]string{"set-password", "ann"},
			"neither the login nor the e-mail",
		},
		{"password for nobody in particular", password, env, []string{"set-password"}, "pass a login"},
		{"nobody's role", "", env, []string{"set-role", "nobody", "USER"}, `there is no user "nobody"`},
		{"the ghost's role", "", env, []string{"set-role", "ghost", "ADMIN"}, `there is no user "ghost"`},
		{"no role", "", env, []string{"set-role", "ann"}, "USER|MODERATOR|ADMIN"},
		{"unknown role", "", env, []string{"set-role", "ann", "KING"}, "USER|MODERATOR|ADMIN"},
	}
	for _, tt := range tests {
		var out strings.Builder
		args := append([]string{"agora", "user"}, tt.args...)
		err := run(context.Background(), args, environment(tt.env), strings.NewReader(tt.stdin), &out, io.Discard)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %q: %v; want an error with %q", tt.name, args, err, tt.want)
		}
		if out.Len() > 0 || err != nil && tt.stdin != "" && strings.Contains(err.Error(), strings.TrimSpace(tt.stdin)) {
			t.Errorf("%s: %q prints %q, and %v; want nothing, and no password", tt.name, args, out.String(), err)
		}
	}
	out := command(t, env, "check") // a number in each partition tried is used up
	if !strings.Contains(out, "2 users, ") || !strings.Contains(out, "no invariant is broken") {
		t.Errorf("check after the refusals prints %q; want two users", out)
	}
}

func TestUserHelp(t *testing.T) {
	for _, name := range []string{"create", "set-password", "set-role"} {
		out := command(t, nil, "user", name, "--help")
		for _, want := range []string{"USAGE", "LOGIN", "--redis-url", "--data"} {
			if !strings.Contains(out, want) {
				t.Errorf("agora user %s --help lacks %s: %s", name, want, out)
			}
		}
		if reads := strings.Contains(out, "standard input"); reads != (name != "set-role") {
			t.Errorf("agora user %s --help mentions standard input: %t", name, reads)
		}
	}
}
