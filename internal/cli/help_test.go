package cli

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"agora/internal/test/must"
)

// helpOf returns the help that a command line prints.
func helpOf(t *testing.T, args string) string {
	t.Helper()
	var out, errs bytes.Buffer
	a := actions{serve: func(context.Context, config) error {
		t.Errorf("agora %s serves", args)
		return nil
	}}
	err := execute(t.Context(), strings.Fields("agora "+args), a, environment(nil), &out, &errs)
	if err != nil || errs.Len() > 0 {
		t.Errorf("agora %s = %v, and writes %q; want help on standard output only", args, err, errs.String())
	}
	return out.String()
}

// below returns the paths of a command and its subcommands.
func below(cmd *cobra.Command) []string {
	paths := []string{cmd.CommandPath()}
	for _, c := range cmd.Commands() {
		paths = append(paths, below(c)...)
	}
	return paths
}

// The help is pasted into logs and questions: it does not show the password of the environment's URL.
func TestHelpHidesThePasswordOfRedis(t *testing.T) {
	const url = "redis://user:secret@localhost:6379/0"
	getenv := environment(map[string]string{"REDIS_URL": url})
	var out bytes.Buffer
	must.OK(t, execute(t.Context(), []string{"agora", "check", "--help"}, actions{}, getenv, &out, io.Discard))
	if help := out.String(); strings.Contains(help, "secret") || !strings.Contains(help, "--redis-url") {
		t.Errorf("with REDIS_URL=%s the help is:\n%s", url, help)
	}
}

// The help of each command shows its usage, in lines that are not too wide, however it is requested.
func TestHelpOfEachCommand(t *testing.T) {
	paths := below(rootCommand(actions{}, environment(nil)))
	if len(paths) < 12 {
		t.Fatalf("found the commands %q; want them all", paths)
	}
	for _, path := range append(paths, "agora completion", "agora completion bash", "agora help") {
		name := strings.TrimPrefix(strings.TrimPrefix(path, "agora"), " ")
		help := helpOf(t, name+" --help")
		for _, want := range []string{"NAME:\n   " + path + " - ", "\nUSAGE:\n   " + path, "\nFLAGS:\n", "-h, --help"} {
			if !strings.Contains(help, want) {
				t.Errorf("%s --help lacks %q:\n%s", path, want, help)
			}
		}
		for line := range strings.Lines(help) {
			if columns := utf8.RuneCountInString(strings.TrimRight(line, "\n")); columns > helpWidth {
				t.Errorf("%s --help has a line of %d columns: %q", path, columns, line)
			}
		}
		for _, args := range []string{name + " -h", "help " + name} {
			if got := helpOf(t, args); got != help {
				t.Errorf("agora %s prints %q; want what --help prints", args, got)
			}
		}
	}
}

func TestHelpListsWhatBelongsToTheCommand(t *testing.T) {
	tests := []struct {
		args     string
		has, not []string
		inOrder  []string
	}{
		{
			"--help",
			[]string{"Limits that --limit sets", "--limit NAME=N", "--rate KIND=N", `(default "127.0.0.1:8080")`},
			[]string{"--repair", "`"},
			[]string{"COMMANDS FOR A SITE", "serve", "user", "OTHER COMMANDS", "schema", "FLAGS", "--addr", "--demo", "--help"},
		},
		{"serve --help", []string{"--limit NAME=N", "Limits that --limit sets"}, []string{"--repair", "COMMANDS"}, nil},
		{"check --help", []string{"--repair", "--data DIR"}, []string{"--addr", "--limit", "COMMANDS"}, nil},
		{"user --help", []string{"create", "set-role"}, []string{"--data"}, []string{"COMMANDS:", "create", "FLAGS"}},
		{"user", []string{"create", "set-role"}, nil, nil},
		{"init --help", []string{"--reserve-ids N", "--category NAME"}, []string{"Array"}, nil},
	}
	for _, tt := range tests {
		help := helpOf(t, tt.args)
		for _, want := range tt.has {
			if !strings.Contains(help, want) {
				t.Errorf("agora %s lacks %q:\n%s", tt.args, want, help)
			}
		}
		for _, foreign := range tt.not {
			if strings.Contains(help, foreign) {
				t.Errorf("agora %s has %q:\n%s", tt.args, foreign, help)
			}
		}
		rest := help
		for _, next := range tt.inOrder {
			var found bool
			if _, rest, found = strings.Cut(rest, next); !found {
				t.Errorf("agora %s lacks %q in its place:\n%s", tt.args, next, help)
			}
		}
	}
}

func TestWrap(t *testing.T) {
	long := strings.Repeat("a word ", 20)
	tests := []struct{ text, want string }{
		{"one\n\ntwo\n", "   one\n\n   two\n"},
		{long, "   " + long[:97] + "\n   " + strings.TrimSpace(long[98:]) + "\n"},
		{
			"name  " + long,
			"   name  " + long[:90] + "\n" + strings.Repeat(" ", 9) + strings.TrimSpace(long[91:]) + "\n",
		},
		{"name  " + strings.Repeat("x", 200), "   name  " + strings.Repeat("x", 200) + "\n"},
	}
	for _, tt := range tests {
		if got := wrap(tt.text); got != tt.want {
			t.Errorf("wrap(%q) =\n%s\nwant\n%s", tt.text, got, tt.want)
		}
	}
}

// Unknown commands and flags are refused in one line, which says where to look.
func TestUnknownCommandsAndFlags(t *testing.T) {
	tests := []struct{ args, want string }{
		{"sevre", `unknown command "sevre"; agora --help lists the commands`},
		{"chekc --repair", `unknown command "chekc"; agora --help lists the commands`},
		{"serve now", `unknown command "now"; agora --help lists the commands`},
		{"user crate", `unknown command "crate"; agora user --help lists the commands`},
		{"user crate --role ADMIN ann", `unknown command "crate"; agora user --help lists the commands`},
		{"sevre --help", `unknown command "sevre"; agora --help lists the commands`},
		{"user crate --help", `unknown command "crate"; agora user --help lists the commands`},
		{"help user crate", `unknown command "user crate"; agora --help lists the commands`},
		{"--nothing", "unknown flag: --nothing; agora --help lists the flags"},
		{"--nothing check", "unknown flag: --nothing; agora --help lists the flags"},
		{"--addr :1 check", "unknown flag: --addr; agora check --help lists the flags"},
		{"user create --rle ADMIN ann", "unknown flag: --rle; agora user create --help lists the flags"},
		{"--addr", "flag needs an argument: --addr; agora --help lists the flags"},
		{"-addr :1", "unknown shorthand flag: 'a' in -addr; agora --help lists the flags"},
	}
	for _, tt := range tests {
		var out, errs bytes.Buffer
		err := execute(t.Context(), strings.Fields("agora "+tt.args), actions{}, environment(nil), &out, &errs)
		if err == nil || err.Error() != tt.want || out.Len()+errs.Len() > 0 {
			t.Errorf("agora %s = %v, and prints %q, %q; want %s", tt.args, err, out.String(), errs.String(), tt.want)
		}
	}
}

// A repeatable flag also accepts commas, and takes quotation marks literally; on the command line it replaces the
// environment's value.
func TestListFlags(t *testing.T) {
	tests := []struct {
		args []string
		want []string
	}{
		{nil, nil},
		{[]string{"--category", "Tea"}, []string{"Tea"}},
		{[]string{"--category", "Tea,Ink , Paper", "--category=Books"}, []string{"Tea", "Ink", "Paper", "Books"}},
		{[]string{"--category", `The "best"`}, []string{`The "best"`}},
		{[]string{"--category", ""}, []string{""}}, // which init refuses
	}
	for _, tt := range tests {
		var got []string
		a := actions{init: func(_ context.Context, _ config, o initOptions) error {
			got = o.Categories
			return nil
		}}
		args := append([]string{"agora", "init", "--data", "x"}, tt.args...)
		err := execute(t.Context(), args, a, environment(nil), io.Discard, io.Discard)
		if err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%q = %v, makes %q; want %q", args, err, got, tt.want)
		}
	}
	env := map[string]string{"LIMITS": "rows=5,values=6"}
	for args, want := range map[string][2]int{
		"": {5, 6}, "--limit rows=7 --limit values=8": {7, 8}, "--limit rows=7,values=8": {7, 8},
	} {
		c, err := served(env, args)
		if got := [2]int{c.Limits.Rows, c.Limits.Values}; err != nil || got != want {
			t.Errorf("agora %s = %v, bounds rows and values by %v; want %v", args, err, got, want)
		}
	}
}

func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if script := helpOf(t, "completion "+shell); !strings.Contains(script, "agora") {
			t.Errorf("agora completion %s prints %.200q; want a script", shell, script)
		}
	}
}
