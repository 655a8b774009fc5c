package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/testlevel"
)

// environment returns a getenv for tests.
func environment(vars map[string]string) func(string) string {
	return func(name string) string { return vars[name] }
}

// started is a server that run has started.
type started struct {
	url    string
	banner string
	stop   func() error
}

// run runs the program with some arguments.
func run(
	ctx context.Context,
	args []string,
	getenv func(string) string,
	stdin io.Reader,
	stdout, stderr io.Writer,
) error {
	return newProgram(schema, os.DirFS("../.."), stdin, stdout, stderr).run(ctx, args, getenv)
}

// start runs the program until its banner is complete; it ends with the test.
func start(t *testing.T, env map[string]string, args ...string) started {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	out, in := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := run(ctx, append([]string{"agora"}, args...), environment(env), strings.NewReader(""), in, io.Discard)
		in.CloseWithError(io.EOF)
		ended <- err
	}()
	s := started{stop: sync.OnceValue(func() error {
		cancel()
		go io.Copy(io.Discard, out) // ends with run, which closes the pipe
		return <-ended
	})}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		s.banner += lines.Text() + "\n"
		if strings.Contains(lines.Text(), "curl") {
			break
		}
	}
	m := regexp.MustCompile(`(http://\S+)/graphql`).FindStringSubmatch(s.banner)
	if m == nil {
		t.Fatalf("no banner: %q; run ended with %v", s.banner, <-ended)
	}
	s.url = m[1]
	return s
}

// post sends an operation and returns the answer as text.
func (s started) post(t *testing.T, token, query string) string {
	t.Helper()
	body := must.Do(json.Marshal(map[string]string{"query": query}))(t)
	req := must.Do(http.NewRequest("POST", s.url+"/graphql", bytes.NewReader(body)))(t)
	req.Header.Set("Content-Type", "application/json")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp := must.Do(http.DefaultClient.Do(req))(t)
	defer resp.Body.Close()
	text := must.Do(io.ReadAll(resp.Body))(t)
	return string(text)
}

// tokenOf signs a user of the demo in and returns the token.
func (s started) tokenOf(t *testing.T, login string) string {
	t.Helper()
	password := regexp.MustCompile(`, with the password (\S+)`).FindStringSubmatch(s.banner)
	if password == nil {
		t.Fatalf("the banner names no password: %s", s.banner)
	}
	got := s.post(t, "", fmt.Sprintf(`mutation{login(input:{identifier:%q,password:%q}){token}}`, login, password[1]))
	token := regexp.MustCompile(`"token":"([^"]+)"`).FindStringSubmatch(got)
	if token == nil {
		t.Fatalf("login answers %s", got)
	}
	return token[1]
}

// Without any settings the program serves demo data, including the tutorials' topic under its number, and the printed
// login can sign in as a plain user.
func TestServeDemo(t *testing.T) {
	testlevel.WithoutRace(t)
	t.Parallel()
	s := start(t, nil, "--addr", "127.0.0.1:0")
	defer s.stop()
	for _, want := range []string{"NOT PERSISTENT", "50 users, 200 topics, 2000 comments", "demo (USER), mara.lindqvist " +
		"(MODERATOR), otto-k (ADMIN)", "Forum", "Playground", "Bot "} {
		if !strings.Contains(s.banner, want) {
			t.Errorf("the banner lacks %q:\n%s", want, s.banner)
		}
	}
	got := s.post(
		t,
		"",
		`{site{userCount topicCount commentCount} front{topics{totalCount}} topic(by:{number:131853}){title category{name}}}`,
	)
	for _, want := range []string{`"userCount":50,"topicCount":224,"commentCount":2000`, `"totalCount":224`,
		`"title":"WordPress 4.0`, `"name":"WordPress"`, `"roundTrips":`} {
		if !strings.Contains(got, want) {
			t.Errorf("the demo's answer lacks %s: %s", want, got)
		}
	}
	m := regexp.MustCompile(`Sign in as  .*, with the password (\S+)`).FindStringSubmatch(s.banner)
	if m == nil {
		t.Fatalf("the banner names no login: %s", s.banner)
	}
	for login, role := range map[string]string{"demo": "USER", "mara.lindqvist": "MODERATOR", "otto-k": "ADMIN"} {
		got = s.post(
			t,
			"",
			fmt.Sprintf(
				`mutation{login(input:{identifier:%q,password:%q}){viewer{user{login role}} errors{code}}}`,
				login,
				m[1],
			),
		)
		if want := fmt.Sprintf(`"viewer":{"user":{"login":%q,"role":%q}},"errors":[]`, login, role); !strings.Contains(
			got,
			want,
		) {
			t.Errorf("login answers %s; want %s", got, want)
		}
	}
	if err := s.stop(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

// A separate Redis gets demo data only on request, and never on top of other data.
func TestServeOwnRedis(t *testing.T) {
	testlevel.Usual(t)
	env := map[string]string{"REDIS_URL": redistest.Start(t).URL()}
	s := start(t, env, "--addr", "127.0.0.1:0", "--site-name", "Mine")
	for _, want := range []string{"agora user create NAME --role ADMIN\n", "agora init --category NAME\n"} {
		if !strings.Contains(s.banner, want) {
			t.Errorf("the banner of an empty site lacks %q:\n%s", want, s.banner)
		}
	}
	got := s.post(t, "", `{site{name timeZone} front{topics{totalCount}}}`)
	if want := `{"data":{"site":{"name":"Mine","timeZone":"UTC"},"front":{"topics":{"totalCount":0}}}}`; strings.TrimSpace(
		got,
	) != want {
		t.Errorf("an empty site answers %s; want %s", got, want)
	}
	got = s.post(
		t,
		"",
		`mutation{register(input:{login:"ann",email:"ann@example.com",password:"a good password"}){token errors{code}}}`,
	)
	m := regexp.MustCompile(`"token":"([^"]+)"`).FindStringSubmatch(got)
	if m == nil {
		t.Fatalf("register answers %s", got)
	}
	command(t, env, "user", "set-role", "ANN", "ADMIN")
	got = s.post(t, m[1], `mutation{createCategory(input:{name:"Go"}){category{name} errors{code}}}`)
	if !strings.Contains(got, `"category":{"name":"Go"}`) {
		t.Errorf("createCategory by an ADMIN answers %s", got)
	}
	if err := s.stop(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
	got = command(t, env, "init", "--category", "Tea & ink", "--category", "go")
	for _, want := range []string{"Created the category Tea & ink.", "The category go already exists."} {
		if !strings.Contains(got, want) {
			t.Errorf("init --category prints %q; want %q in it", got, want)
		}
	}
	command(t, env, "init", "--access", "MEMBERS", "--registration", "INVITE")
	again := start(t, env, "--addr", "127.0.0.1:0")
	if strings.Contains(again.banner, "empty") {
		t.Errorf("the banner of a site with categories: %s", again.banner)
	}
	query := regexp.MustCompile(`{"query":"([^"]+)"}`).FindStringSubmatch(again.banner)
	if got := again.post(t, "", query[1]); !strings.Contains(got, `"access":"MEMBERS"`) {
		t.Errorf("a site for members answers what the banner says to try with %s", got)
	}
	again.stop()
	err := run(
		context.Background(),
		[]string{"agora", "--demo", "--addr", "127.0.0.1:0"},
		environment(env),
		strings.NewReader(""),
		io.Discard,
		io.Discard,
	)
	if err == nil || !strings.Contains(err.Error(), "empty") {
		t.Errorf("--demo on a site with data: %v; want a refusal", err)
	}
}

// command runs a command that has to succeed and returns its output.
func command(t *testing.T, env map[string]string, args ...string) string {
	t.Helper()
	return commandReading(t, "", env, args...)
}

// commandReading is command with a text on standard input.
func commandReading(t *testing.T, stdin string, env map[string]string, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if err := run(context.Background(), append([]string{"agora"}, args...), environment(env), strings.NewReader(stdin),
		&out, io.Discard); err != nil {
		t.Fatalf("agora %s: %v", strings.Join(args, " "), err)
	}
	return out.String()
}

func TestCommands(t *testing.T) {
	env := map[string]string{"REDIS_URL": redistest.Start(t).URL()}
	if out := command(t, env, "init", "--reserve-ids", "1000"); !strings.Contains(out, "up to 1000") {
		t.Errorf("init prints %q", out)
	}
	if out := command(t, env, "init", "--registration", "invite"); !strings.Contains(out, "Registration is INVITE.") {
		t.Errorf("init --registration prints %q", out)
	}
	if out := command(t, env, "check"); !strings.Contains(out, "no invariant is broken") {
		t.Errorf("check prints %q", out)
	}
	if out := command(t, nil, "schema", "print"); out != schema {
		t.Errorf("schema print prints %d bytes; want %d", len(out), len(schema))
	}
	for _, args := range [][]string{{"--help"}, {"serve", "--help"}, {"init", "--help"}, {"check", "--help"},
		{"user", "--help"}, {"user", "set-role", "--help"}, {"schema", "--help"}, {"schema", "print", "--help"}} {
		if out := command(t, nil, args...); !strings.Contains(out, "USAGE") {
			t.Errorf("agora %s prints no usage: %q", strings.Join(args, " "), out)
		}
	}
}

func TestRefusals(t *testing.T) {
	redis := map[string]string{"REDIS_URL": redistest.Start(t).URL()}
	command(t, redis, "init", "--reserve-ids", "1000")
	tests := []struct {
		name string
		env  map[string]string
		args []string
		want string
	}{
		{"demo data on all interfaces", nil, []string{"--addr", "0.0.0.0:0"}, "--demo"},
		{"demo data by PORT", map[string]string{"PORT": "0"}, nil, "--demo"},
		{"unknown command", nil, []string{"sevre"}, "unknown command"},
		{"check of the embedded store", nil, []string{"check"}, "REDIS_URL"},
		{"a URL that is none", map[string]string{"REDIS_URL": "localhost:6379"}, []string{"init"}, "REDIS_URL"},
		{
			"a Redis that is not there",
			map[string]string{"REDIS_URL": "redis://127.0.0.1:1"},
			[]string{"init"},
			"does not answer",
		},
		{"ids reserved twice", redis, []string{"init", "--reserve-ids", "2000"}, "reserve"},
		{"no ids to reserve", redis, []string{"init", "--reserve-ids", "0"}, "at least 1"},
		{"another time zone", redis, []string{"init", "--time-zone", "Asia/Shanghai"}, "UTC"},
		{"no time zone", redis, []string{"init", "--time-zone", "Mars/Olympus"}, "time zone"},
		{"role for nobody", redis, []string{"user", "set-role", "nobody", "ADMIN"}, "no user"},
		{"unknown role", redis, []string{"user", "set-role", "ann", "KING"}, "USER|MODERATOR|ADMIN"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := run(
				context.Background(),
				append([]string{"agora"}, tt.args...),
				environment(tt.env),
				strings.NewReader(""),
				io.Discard,
				io.Discard,
			)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("agora %s: %v; want an error with %q", strings.Join(tt.args, " "), err, tt.want)
			}
		})
	}
}

// schema is the text of schema.graphqls.
var schema = func() string {
	text, err := os.ReadFile("../../schema.graphqls")
	if err != nil {
		panic(err)
	}
	return string(text)
}()
