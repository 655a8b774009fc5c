package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"agora/internal/forum"
)

// plannedBy runs a command line and returns what would be done.
func plannedBy(env map[string]string, args ...string) (did string, err error) {
	note := func(format string, args ...any) error {
		did = fmt.Sprintf(format, args...)
		return nil
	}
	a := actions{
		serve:      func(_ context.Context, c config) error { return note("serve with %d sign-ins", c.SignInLimit) },
		createUser: func(_ context.Context, c config, u newUser) error { return note("create %+v in %s", u, c.RedisURL) },
		setPassword: func(_ context.Context, c config, login string, g bool) error {
			return note("password of %s, %t", login, g)
		},
		setRole: func(_ context.Context, c config, login string,
			r forum.Role) error {
			return note("%s is %s", login, r)
		},
		importFiles: func(_ context.Context, c config, i importOptions) error { return note("import %+v", i) },
	}
	getenv := func(name string) string { return env[name] }
	err = execute(context.Background(), append([]string{"agora"}, args...), a, getenv, io.Discard, io.Discard)
	return did, err
}

func TestCommandsOfAccounts(t *testing.T) {
	env := map[string]string{"REDIS_URL": "redis://x"}
	tests := []struct{ args, want string }{
		{"user create ann", "create {Login:ann Name: Email: Role:USER Generate:false} in redis://x"},
		{
			"user create ann --role ADMIN --email a@b.org --name Ann --generate",
			"create {Login:ann Name:Ann Email:a@b.org Role:ADMIN Generate:true} in redis://x",
		},
		{"user create --role MODERATOR ann", "create {Login:ann Name: Email: Role:MODERATOR Generate:false} in redis://x"},
		{"user create --redis-url redis://y ann", "create {Login:ann Name: Email: Role:USER Generate:false} in redis://y"},
		{"user set-password ann", "password of ann, false"},
		{"user set-password ann --generate", "password of ann, true"},
		{"user set-role ann ADMIN", "ann is ADMIN"},
		{"import --format v2ex a.json", "import {Format:v2ex Source: SourceURL: Category:Imported Strict:false Files:[a.json]}"},
		{"import --format stackexchange dir", "import {Format:stackexchange Source: SourceURL: Category: Strict:false Files:[dir]}"},
		{
			"import --format stackexchange --category Imported dir",
			"import {Format:stackexchange Source: SourceURL: Category:Imported Strict:false Files:[dir]}",
		},
		{
			"import --format discourse --source talk --category Talk --strict a.json -",
			"import {Format:discourse Source:talk SourceURL: Category:Talk Strict:true Files:[a.json -]}",
		},
	}
	for _, tt := range tests {
		if did, err := plannedBy(env, strings.Fields(tt.args)...); did != tt.want || err != nil {
			t.Errorf("agora %s does %q, %v; want %q", tt.args, did, err, tt.want)
		}
	}
}

func TestCommandsOfAccountsRefuse(t *testing.T) {
	tests := []struct{ url, args, want string }{
		{"", "user create ann", "user create needs --data DIR"},
		{"redis://x", "user set-role --time-zone Local ann ADMIN", "\"Local\" is not an IANA time zone"},
		{"redis://x", "user set-role --time-zone europe/berlin ann ADMIN", "did you mean Europe/Berlin?"},
		{"redis://x", "user set-role --redis-timeout 5 ann ADMIN", "--redis-timeout must be 50ms to 1m0s"},
		{"redis://x", "user set-role --redis-timeout 2m ann ADMIN", "--redis-timeout must be 50ms to 1m0s"},
		{"redis://x", "check --yes", "--yes needs --prune"},
		{"", "user set-password ann", "user set-password needs --data DIR"},
		{"", "user set-role ann ADMIN", "user set-role needs --data DIR"},
		{"", "import --format v2ex a.json", "import needs --data DIR"},
		{"redis://x", "user create", "pass a login"},
		{"redis://x", "user create a b", "pass a login"},
		{"redis://x", "user create ann --role king", "USER|MODERATOR|ADMIN"},
		{"redis://x", "user create ann --data /tmp/x", "not both"},
		{"redis://x", "user set-password", "pass a login"},
		{"redis://x", "user set-role ann", "USER|MODERATOR|ADMIN"},
		{"redis://x", "user set-role ann Admin", "USER|MODERATOR|ADMIN"},
		{"redis://x", "import --format v2ex", "pass the files"},
		{"redis://x", "import --format phpbb a.json", "v2ex, discourse, hackernews, stackexchange"},
	}
	for _, tt := range tests {
		did, err := plannedBy(map[string]string{"REDIS_URL": tt.url}, strings.Fields(tt.args)...)
		if err == nil || !strings.Contains(err.Error(), tt.want) || did != "" {
			t.Errorf("agora %s does %q, %v; want an error with %q", tt.args, did, err, tt.want)
		}
	}
}

func TestSignInLimit(t *testing.T) {
	tests := []struct{ env, args, want string }{
		{"", "", "serve with 10 sign-ins"},
		{"0", "", "serve with 0 sign-ins"},
		{"25", "", "serve with 25 sign-ins"},
		{"25", "--sign-in-limit 5", "serve with 5 sign-ins"},
		{"", "--sign-in-limit 0", "serve with 0 sign-ins"},
		{"-1", "", "sign-in-limit"},
		{"many", "", "sign-in-limit"},
		{"1.5", "", "sign-in-limit"},
		{"", "--sign-in-limit many", "sign-in-limit"},
	}
	for _, tt := range tests {
		did, err := plannedBy(map[string]string{"SIGN_IN_LIMIT": tt.env}, strings.Fields(tt.args)...)
		if err != nil {
			did = err.Error()
		}
		if !strings.Contains(did, tt.want) {
			t.Errorf("agora %s with SIGN_IN_LIMIT=%s: %q; want %q", tt.args, tt.env, did, tt.want)
		}
	}
}
