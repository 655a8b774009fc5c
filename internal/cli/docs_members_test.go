package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"agora/internal/test/testlevel"
)

// The page docs/members.md leads from nothing to the answer that it shows, with its own files and commands.
func TestUseYourOwnUsers(t *testing.T) {
	testlevel.Usual(t)
	dir := t.TempDir()
	var configs, scripts, commands []string
	for _, b := range docBlocks(t) {
		if b.file != "docs/members.md" {
			continue
		}
		switch b.language {
		case "yaml":
			configs = append(configs, b.text)
		case "js":
			scripts = append(scripts, b.text)
		case "sh":
			commands = append(commands, b.text)
		}
	}
	file := filepath.Join(dir, "agora.yml")
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	shell := func(command string) string {
		cmd := exec.CommandContext(t.Context(), "sh", "-ec", command)
		cmd.Dir, cmd.Stderr = dir, os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v", command, err)
		}
		return string(out)
	}
	check := func() {
		t.Helper()
		var out bytes.Buffer
		if err := execute(t.Context(), []string{"agora", "config", "check", file}, actions{}, environment(nil), &out, &out); err != nil {
			t.Fatal(err)
		}
	}
	shell(commands[0]) // the secret
	write("agora.yml", configs[0]+configs[1])
	check() // the page on which members sign in
	write("agora.yml", configs[2])
	check() // the providers
	write("agora.yml", configs[0])
	write("token.mjs", scripts[0])
	if want := "agora config check agora.yml\nagora serve --config agora.yml\n"; commands[1] != want {
		t.Errorf("the commands are %q; want %q", commands[1], want)
	}
	check()
	server := start(t, nil, "serve", "--config", file, "--addr", "127.0.0.1:0")
	ask, answer, _ := strings.Cut(commands[2], "\n# ")
	want, _, _ := strings.Cut(answer, ", …")
	if got := shell(strings.Replace(ask, "localhost:8080", strings.TrimPrefix(server.url, "http://"), 1)); !strings.HasPrefix(got, want) {
		t.Errorf("the answer is %s; want %s", got, want)
	}
}
