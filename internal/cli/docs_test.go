package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// block is a fenced block of a page of the documentation.
type block struct {
	file, language, text string
}

var fence = regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$")

// docBlocks returns the blocks of all pages.
func docBlocks(t *testing.T) []block {
	t.Helper()
	files := []string{"../../README.md"}
	for _, pattern := range []string{"../../docs/*.md", "../../docs/architecture/*.md"} {
		found := must.Do(filepath.Glob(pattern))(t)
		files = append(files, found...)
	}
	var all []block
	for _, file := range files {
		text := must.Do(os.ReadFile(file))(t)
		for _, m := range fence.FindAllStringSubmatch(string(text), -1) {
			all = append(all, block{strings.TrimPrefix(file, "../../"), m[1], m[2]})
		}
	}
	return all
}

// Every operation in the documentation is valid, and every query that needs no variables has an answer without
// errors: for everybody, or, if one has to sign in for it, for a moderator.
func TestDocumentedOperations(t *testing.T) {
	testlevel.WithoutRace(t)
	t.Parallel()
	s := start(t, nil, "--addr", "127.0.0.1:0", "--quiet")
	defer s.stop()
	sdl := must.Do(gqlparser.LoadSchema(&ast.Source{Input: schema}))(t)
	moderator := s.tokenOf(t, "mara.lindqvist")
	run := 0
	for _, b := range docBlocks(t) {
		if b.language != "graphql" {
			continue
		}
		doc, err := parser.ParseQuery(&ast.Source{Input: b.text})
		if err != nil {
			t.Errorf("%s: %v:\n%s", b.file, err, b.text)
			continue
		}
		for i, op := range doc.Operations {
			end := len(b.text)
			if i+1 < len(doc.Operations) {
				end = doc.Operations[i+1].Position.Start
			}
			text := string([]rune(b.text)[op.Position.Start:min(end, len([]rune(b.text)))])
			if _, errs := gqlparser.LoadQueryWithRules(sdl, text, rules.NewDefaultRules()); len(errs) > 0 {
				t.Errorf("%s: %v:\n%s", b.file, errs, text)
			} else if op.Operation == ast.Query && len(op.VariableDefinitions) == 0 {
				run++
				got := s.post(t, "", text)
				if strings.Contains(got, `"UNAUTHENTICATED"`) {
					got = s.post(t, moderator, text)
				}
				if !strings.HasPrefix(got, `{"data":{`) || strings.Contains(got, `"errors"`) {
					t.Errorf("%s:\n%sis answered with %s", b.file, text, got)
				}
			}
		}
	}
	if run < 2 {
		t.Errorf("ran %d queries; want those of docs/api.md", run)
	}
}

// sampleToken is the placeholder for a token in quickstart.md; readers use their own.
var sampleToken = regexp.MustCompile(`(?m)^TOKEN=agora_\S+….*$`)

// Every call of curl in README.md and docs/quickstart.md works on the demo as printed, and README.md shows the exact
// answer of its query.
func TestDocumentedCalls(t *testing.T) {
	testlevel.WithoutRace(t)
	t.Parallel()
	s := start(t, nil, "--addr", "127.0.0.1:0")
	defer s.stop()
	host := strings.TrimPrefix(s.url, "http://")
	var answer []byte // of the call before
	calls := 0
	for _, b := range docBlocks(t) {
		switch {
		case b.language == "json" && b.file == "README.md":
			wantSameJSON(t, b.text, answer)
		case strings.Contains(b.text, "npm install"): // it would fetch packages
		case b.file == "docs/members.md": // see TestUseYourOwnUsers
		case b.language == "sh" && strings.Contains(b.text, "curl "):
			calls += strings.Count(b.text, "curl ")
			answer = runScript(t, b, strings.ReplaceAll(b.text, "localhost:8080", host))
		}
	}
	if calls < 5 {
		t.Errorf("ran curl %d times; want the calls of README.md and docs/quickstart.md", calls)
	}
}

// wantSameJSON fails the test if an answer differs from the one on a page.
func wantSameJSON(t *testing.T, shown string, answer []byte) {
	t.Helper()
	var want, got any
	must.OK(t, json.Unmarshal([]byte(shown), &want))
	if err := json.Unmarshal(answer, &got); err != nil {
		t.Fatalf("the answer is %s: %v", answer, err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the answer is %s; README.md shows %s", answer, shown)
	}
}

// runScript runs a block of shell, with the token instead of the placeholder, and a subscription for as long as its
// first event takes.
func runScript(t *testing.T, b block, script string) []byte {
	t.Helper()
	out := must.Do(os.Create(filepath.Join(t.TempDir(), "out")))(t)
	defer out.Close()
	script = sampleToken.ReplaceAllString(script, `TOKEN=$(grep -o 'agora_[^"]*' "$$OUT" | head -1)`)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-euc", script)
	cmd.Env = append(os.Environ(), "OUT="+out.Name())
	cmd.Stdout = out
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	if strings.Contains(script, "text/event-stream") {
		return firstEvent(t, b, cmd)
	}
	err := cmd.Run()
	text, readErr := os.ReadFile(out.Name())
	if err != nil || readErr != nil {
		t.Fatalf("%s: %v, %v; %s:\n%s", b.file, err, readErr, &complaints, script)
	}
	if len(text) == 0 || bytes.Contains(text, []byte(`"message"`)) {
		t.Errorf("%s: the answer has errors, or is empty: %s", b.file, text)
	}
	return text
}

// firstEvent runs a command that subscribes, until its first event.
func firstEvent(t *testing.T, b block, cmd *exec.Cmd) []byte {
	t.Helper()
	cmd.Stdout, cmd.WaitDelay = nil, time.Second
	out := must.Do(cmd.StdoutPipe())(t)
	must.OK(t, cmd.Start())
	defer cmd.Wait()
	defer cmd.Process.Kill()
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if bytes.HasPrefix(lines.Bytes(), []byte("data: {")) {
			return lines.Bytes()
		}
	}
	t.Errorf("%s: the subscription ended without an event", b.file)
	return nil
}

// commandLine is a command line in a block or between backticks.
var commandLine = regexp.MustCompile("(?m)^agora(?: .*)?$|`agora [^`\n]*`")

// Every command line in the documentation has an existing command, with flags that it accepts.
func TestDocumentedCommands(t *testing.T) {
	seen := map[string]bool{}
	files := must.Do(filepath.Glob("../../docs/*.md"))(t)
	for _, file := range append(files, "../../README.md") {
		text := must.Do(os.ReadFile(file))(t)
		for _, line := range commandLine.FindAllString(string(text), -1) {
			line, _, _ = strings.Cut(strings.Trim(line, "`"), " #")
			if strings.ContainsAny(line, "[|") || strings.Contains(line, "COMMAND") { // a summary of the forms
				continue
			}
			seen[line] = true
			args := strings.Fields(strings.NewReplacer("…", "", "'", "").Replace(line))
			if at := slices.IndexFunc(args, func(a string) bool { return strings.HasPrefix(a, "<") }); at >= 0 {
				args = args[:at]
			}
			err := execute(t.Context(), append(args, "--help"), actions{}, environment(nil), io.Discard, io.Discard)
			if err != nil {
				t.Errorf("%s: %s: %v", file, line, err)
			}
		}
	}
	if len(seen) < 20 {
		t.Errorf("found %d command lines; want those of all pages", len(seen))
	}
}

// Every target of make in the documentation exists.
func TestDocumentedTargets(t *testing.T) {
	makefile := must.Do(os.ReadFile("../../Makefile"))(t)
	target := regexp.MustCompile("(?m)(?:^|`)make ([a-z]+)")
	files := must.Do(filepath.Glob("../../docs/*.md"))(t)
	for _, file := range append(files, "../../README.md") {
		text := must.Do(os.ReadFile(file))(t)
		for _, m := range target.FindAllStringSubmatch(string(text), -1) {
			if !bytes.Contains(makefile, []byte("\n"+m[1]+":")) {
				t.Errorf("%s names make %s, which does not exist", file, m[1])
			}
		}
	}
}
