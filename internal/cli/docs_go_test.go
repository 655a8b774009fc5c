package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"agora/internal/test/must"
)

// goCommand is a command of go between backticks or at the start of a line of a block, after variables, if any.
var goCommand = regexp.MustCompile("(?m)`(?:[A-Z_]+=\\S+ )*go ([^`]+)`|^go ([^#\n]+)")

// goFunction is a test or benchmark.
var goFunction = regexp.MustCompile(`(?m)^func ((?:Test|Benchmark)\w+)\(`)

// goArgument is an argument of a command, quoted or not.
var goArgument = regexp.MustCompile(`'[^']*'|\S+`)

// Every command of go in the documentation and in the benchmark's results has packages that exist, and names tests and
// benchmarks that are in them.
func TestDocumentedGoCommands(t *testing.T) {
	files := []string{"../../README.md", "../../bench/results.md"}
	for _, pattern := range []string{"../../docs/*.md", "../../docs/architecture/*.md"} {
		found := must.Do(filepath.Glob(pattern))(t)
		files = append(files, found...)
	}
	checked := 0
	for _, file := range files {
		text := must.Do(os.ReadFile(file))(t)
		for _, m := range goCommand.FindAllStringSubmatch(string(text), -1) {
			checked++
			checkGoCommand(t, file, goArgument.FindAllString(m[1]+m[2], -1))
		}
	}
	if checked < 20 {
		t.Errorf("found %d commands of go; want those of all pages", checked)
	}
}

// checkGoCommand checks a command, given without "go".
func checkGoCommand(t *testing.T, file string, args []string) {
	t.Helper()
	root := "../.."
	if args[0] == "-C" {
		root = filepath.Join(root, args[1])
		args = args[2:]
	}
	var there, patterns []string
	for i, arg := range args {
		arg = strings.Trim(arg, "'")
		dir, own := strings.CutPrefix(arg, "agora/")
		if own || strings.HasPrefix(arg, ".") {
			there = append(there, functionsIn(t, file, root, dir)...)
		}
		if i > 0 && (args[i-1] == "-run" || args[i-1] == "-bench") && arg != "-" && arg != "^$" {
			patterns = append(patterns, strings.Split(arg, "|")...)
		}
	}
	for _, pattern := range patterns {
		if !slices.ContainsFunc(there, regexp.MustCompile(pattern).MatchString) {
			t.Errorf("%s: go %s: no test or benchmark matches %s", file, strings.Join(args, " "), pattern)
		}
	}
}

// functionsIn returns the tests and benchmarks of the package in a directory, which must exist.
func functionsIn(t *testing.T, file, root, dir string) []string {
	t.Helper()
	dir = filepath.Join(root, strings.TrimSuffix(dir, "..."))
	if _, err := os.Stat(dir); err != nil {
		t.Errorf("%s: %v", file, err)
	}
	tests := must.Do(filepath.Glob(filepath.Join(dir, "*_test.go")))(t)
	var names []string
	for _, test := range tests {
		text := must.Do(os.ReadFile(test))(t)
		for _, m := range goFunction.FindAllStringSubmatch(string(text), -1) {
			names = append(names, m[1])
		}
	}
	return names
}
