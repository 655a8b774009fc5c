package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"agora/internal/forum"
	"agora/internal/ratelimit"
)

// fileOf writes a file and returns its path.
func fileOf(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// configOf returns the configuration of a command line of serve.
func configOf(t *testing.T, env map[string]string, args ...string) (config, error) {
	t.Helper()
	var flags serveFlags
	getenv := environment(env)
	root := rootCommand(actions{}, getenv)
	cmd, _, err := root.Find([]string{"serve"})
	if err != nil {
		t.Fatal(err)
	}
	cmd.ResetFlags()
	flags.add(cmd, getenv)
	if err := cmd.ParseFlags(args); err != nil {
		t.Fatal(err)
	}
	return flags.configured(cmd, getenv)
}

const someSecret = "0123456789abcdef0123456789abcdef"

const goodConfig = `# A forum.
site-name: Of the file
sign-in-limit: 7
cache: true
rate: [posts=20, comments=60]
passwords: off
allowed-origins: https://www.example.org
issuers:
  - issuer: my-site
    audience: forum
    secret: {env: FORUM_SECRET}
    claims: {login: nick, avatar: null, role: /realm/roles}
    roles: {boss: ADMIN}
  - issuer: https://id.example.org/
    audience: [forum, web]
    jwks: https://id.example.org/keys
`

func TestConfigFile(t *testing.T) {
	file := fileOf(t, "agora.yml", goodConfig)
	secret := fileOf(t, "secret", someSecret+"\n")
	c, err := configOf(t, map[string]string{"FORUM_SECRET": someSecret, "SIGN_IN_LIMIT": "8"}, "--config", file, "--site-name", "Of the flag")
	if err != nil {
		t.Fatal(err)
	}
	if c.SiteName != "Of the flag" || c.SignInLimit != 8 || !c.Cache || c.Rates[ratelimit.Posts] != 20 ||
		c.Rates[ratelimit.Comments] != 60 || !c.NoPasswords || len(c.Issuers) != 2 {
		t.Errorf("the configuration is %+v; want flags before the environment before the file", c)
	}
	mine := c.Issuers[0]
	if mine.Issuer != "my-site" || string(mine.Secret) != someSecret || mine.Claims.Login != "nick" || mine.Claims.Name != "name" ||
		mine.Claims.Avatar != "" || mine.Claims.Role != "/realm/roles" || mine.Roles["boss"] != forum.RoleAdmin {
		t.Errorf("the first issuer is %+v", mine)
	}
	if got := strings.Join(c.Issuers[1].Audience, " "); got != "forum web" || c.Issuers[1].JWKS != "https://id.example.org/keys" {
		t.Errorf("the second issuer is %+v", c.Issuers[1])
	}
	from := strings.Replace(goodConfig, "{env: FORUM_SECRET}", "{file: "+secret+"}", 1)
	if c, err = configOf(t, map[string]string{"AGORA_CONFIG": fileOf(t, "a.yml", from)}); err != nil || string(c.Issuers[0].Secret) != someSecret {
		t.Errorf("with the secret in a file: %+v, %v", c.Issuers, err)
	}
}

func TestConfigCheckNamesLines(t *testing.T) {
	issuerWith := func(lines string) string { return "issuers:\n  - issuer: x\n    audience: a\n" + lines }
	for name, tt := range map[string]struct{ text, want string }{
		"unknown setting":      {"addr: :80\nsite-nam: x\n", `:2: there is no setting "site-nam"`},
		"not for files":        {"config: x\n", `:1: there is no setting "config"`},
		"not YAML":             {"a: [1\nb", ":2: "},
		"not settings":         {"- a\n", ":1: want settings"},
		"a value of a flag":    {"wait: 1s\nui: maybe\n", `:2: --ui must be on or off`},
		"a wrong type":         {"\ncache: 7\n", `:2: invalid argument "7" for "--cache"`},
		"a list for one value": {"site-name: {env: [a]}\n", ":1: want one value"},
		"no value":             {"site-name:\n", ":1: the value is missing"},
		"no variable":          {"site-name: {env: NOT_SET}\n", ":1: the variable NOT_SET is not set"},
		"no file":              {"site-name: {file: /nowhere}\n", ":1: open /nowhere"},
		"neither":              {"site-name: {url: x}\n", ":1: want env: NAME or file: PATH"},
		"passwords off":        {"passwords: off\n", ":1: --passwords off needs issuers"},
		"page without TLS": {"sign-in-page: http://x.example/login\n",
			`:1: --sign-in-page: "http://x.example/login" must begin`},
		"page without host":    {"sign-in-page: /login\n", `:1: --sign-in-page: "/login" is not an address`},
		"page that runs":       {"sign-in-page: javascript:alert(1)\n", `:1: --sign-in-page: "javascript:alert(1)" is not`},
		"page that returns":    {"sign-in-page: https://x.example/?return=y\n", `:1: --sign-in-page must not have`},
		"issuers not a list":   {"issuers: x\n", ":1: issuers: want a list"},
		"unknown of an issuer": {issuerWith("    audiance: b\n"), `:4: an issuer has no setting "audiance"`},
		"no audience":          {"issuers:\n  - issuer: https://x.example\n", ":2: audience: name at least one"},
		"no keys":              {issuerWith(""), ":2: issuer: without secret and jwks"},
		"short secret":         {issuerWith("    secret: short\n"), ":4: secret: want at least 32 bytes, got 5"},
		"secret and keys":      {issuerWith("    jwks: https://x.example\n    secret: " + someSecret + "\n"), ":5: secret: use either"},
		"keys without TLS":     {issuerWith("    jwks: http://x.example/keys\n"), ":4: jwks: "},
		"unknown role":         {issuerWith("    secret: " + someSecret + "\n    claims: {role: r}\n    roles: {a: KING}\n"), `:6: roles: "a" is "KING"`},
		"roles without claim":  {issuerWith("    secret: " + someSecret + "\n    roles: {a: ADMIN}\n"), ":5: roles: name the claim"},
		"a role for a moment":  {issuerWith("    secret: " + someSecret + "\n    role-life: 1s\n"), ":5: role-life: want 5m0s to 2160h0m0s, got 1s"},
		"a role of no time":    {issuerWith("    secret: " + someSecret + "\n    role-life: long\n"), `:5: want a time span such as 1h, not "long"`},
		"a switch in between":  {issuerWith("    secret: " + someSecret + "\n    backchannel-logout: maybe\n"), `:5: want on or off, not "maybe"`},
		"unknown claim":        {issuerWith("    secret: " + someSecret + "\n    claims:\n      mail: m\n"), `:6: want login, name, avatar or role, not "mail"`},
		"a setting twice":      {"ui: on\naddr: :80\nui: off\n", ":3: "},
		"an issuer twice": {issuerWith("    secret: " + someSecret + "\n  - issuer: x\n    audience: a\n    secret: " + someSecret + "\n"),
			":5: issuer: x is there twice"},
	} {
		t.Run(name, func(t *testing.T) {
			file := fileOf(t, "agora.yml", tt.text)
			var out bytes.Buffer
			err := execute(t.Context(), []string{"agora", "config", "check", file}, actions{}, environment(nil), &out, &out)
			if err == nil || !strings.Contains(err.Error(), file+tt.want) {
				t.Errorf("config check = %v, %s; want %s%s", err, &out, file, tt.want)
			}
		})
	}
	var out bytes.Buffer
	file := fileOf(t, "agora.yml", goodConfig)
	err := execute(t.Context(), []string{"agora", "config", "check", file}, actions{},
		environment(map[string]string{"FORUM_SECRET": someSecret}), &out, &out)
	if err != nil || !strings.HasPrefix(out.String(), file+": ok, 2 issuers of tokens\naddr: ") {
		t.Errorf("config check of a good file = %v, %s", err, &out)
	}
}

// A flag that holds several values takes them as a list of the file and repeated on the command line; any other is
// refused there.
func TestListsOfEveryFlag(t *testing.T) {
	root := rootCommand(actions{}, environment(nil))
	serve, _, err := root.Find([]string{"serve"})
	if err != nil {
		t.Fatal(err)
	}
	several := 0
	serve.Flags().VisitAll(func(f *pflag.Flag) {
		value := map[bool]string{true: "true", false: "a"}[f.Value.Type() == "bool"]
		twice := serve.Flags()
		err := errors.Join(twice.Set(f.Name, value), twice.Set(f.Name, value))
		if holdsSeveral(f) {
			several++
			if got := f.Value.(pflag.SliceValue).GetSlice(); err != nil || len(got) != 2 {
				t.Errorf("--%s given twice holds %q, %v; want two values", f.Name, got, err)
			}
		} else if err == nil {
			t.Errorf("--%s may be given twice, and holds one value", f.Name)
		}
		if slices.Contains(notInFile, f.Name) {
			return
		}
		var s serveFlags
		cmd := &cobra.Command{}
		s.add(cmd, environment(nil))
		s.configPath = fileOf(t, "agora.yml", "\n"+f.Name+": ["+value+", "+value+"]\n")
		_, err = s.load(cmd, environment(nil))
		in := cmd.Flags().Lookup(f.Name)
		if !holdsSeveral(in) {
			if want := ":2: " + f.Name + " has one value, not a list"; err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s with a list = %v; want %s", f.Name, err, want)
			}
		} else if got := in.Value.(pflag.SliceValue).GetSlice(); err != nil || len(got) != 2 {
			t.Errorf("%s with a list holds %q, %v; want two values", f.Name, got, err)
		}
	})
	if several < 5 {
		t.Errorf("%d flags hold several values; want at least 5", several)
	}
}

// The configuration that is printed has no secrets, and is one that serve reads.
func TestPrintConfigMasksSecrets(t *testing.T) {
	file := fileOf(t, "agora.yml", goodConfig)
	env := map[string]string{"FORUM_SECRET": someSecret, "OTEL_EXPORTER_OTLP_ENDPOINT": "http://u:hidden@localhost:4318",
		"REDIS_URL": "redis+sentinel://u:hidden@h:1/m/0?sentinel_password=hidden"}
	var out bytes.Buffer
	if err := execute(t.Context(), []string{"agora", "--config", file, "--print-config"}, actions{}, environment(env), &out, &out); err != nil {
		t.Fatal(err)
	}
	printed := out.String()
	if strings.Contains(printed, someSecret) || strings.Contains(printed, "hidden") || strings.Count(printed, masked) != 4 {
		t.Errorf("printed with secrets:\n%s", printed)
	}
	again := strings.ReplaceAll(strings.Replace(printed, "secret: "+masked, "secret: "+someSecret, 1), "\nconfig: "+file, "")
	out.Reset()
	if err := execute(t.Context(), []string{"agora", "serve", "--config", fileOf(t, "b.yml", again), "--print-config"}, actions{},
		environment(nil), &out, &out); err != nil || out.String() != printed {
		t.Errorf("the printed configuration, read again, is %v\n%s; want\n%s", err, &out, printed)
	}
}

// A file does not win over a flag or the environment, so the description of each flag names its variable.
func TestFlagsNameTheirVariables(t *testing.T) {
	var flags serveFlags
	cmd, _, _ := rootCommand(actions{}, environment(nil)).Find([]string{"serve"})
	cmd.ResetFlags()
	asked := map[string]bool{}
	flags.add(cmd, func(name string) string { asked[name] = true; return "" })
	named := map[string]bool{}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		for _, name := range variablesOf(f) {
			named[name] = true
			if !asked[name] {
				t.Errorf("--%s names the variable %s, which is not read", f.Name, name)
			}
		}
	})
	for name := range asked {
		if !named[name] {
			t.Errorf("no flag names the variable %s", name)
		}
	}
}
