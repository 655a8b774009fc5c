package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// instruction is a line of a Dockerfile.
type instruction struct{ name, rest string }

// dockerfile returns the instructions of deploy/Dockerfile.
func dockerfile(t *testing.T) []instruction {
	t.Helper()
	var all []instruction
	for line := range strings.Lines(deployed(t, "Dockerfile")) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			name, rest, _ := strings.Cut(line, " ")
			all = append(all, instruction{name, rest})
		}
	}
	return all
}

// imageStage returns the instructions of the image itself: the last stage.
func imageStage(t *testing.T) []instruction {
	t.Helper()
	all, from := dockerfile(t), 0
	for n, i := range all {
		if i.name == "FROM" {
			from = n
		}
	}
	return all[from:]
}

// imageEnvironment returns the variables that the image sets.
func imageEnvironment(t *testing.T) map[string]string {
	t.Helper()
	env := map[string]string{}
	for _, i := range imageStage(t) {
		if i.name == "ENV" {
			name, value, _ := strings.Cut(i.rest, "=")
			env[name] = value
		}
	}
	return env
}

// The image holds the server and certificates only, does not run as root, and is built by the Go release of go.mod
// from files that exist.
func TestDockerfile(t *testing.T) {
	image := imageStage(t)
	want := []instruction{
		{"FROM", "scratch"},
		{"COPY", "--from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt"},
		{"COPY", "--from=build /agora /agora"},
		{"USER", "65532:65532"},
		{"ENV", "ADDR=:8080"},
		{"EXPOSE", "8080"},
		{"HEALTHCHECK", `--interval=10s --timeout=5s --start-period=30s CMD ["/agora", "health"]`},
		{"ENTRYPOINT", `["/agora"]`},
	}
	if len(image) != len(want) {
		t.Fatalf("the image has the instructions %v; want %v", image, want)
	}
	for n, i := range image {
		if i != want[n] {
			t.Errorf("instruction %d of the image is %v; want %v", n+1, i, want[n])
		}
	}
	readConfig(t, "Dockerfile", imageEnvironment(t), "--redis-url", "redis://x")
	module := must.Do(os.ReadFile("../../go.mod"))(t)
	release := regexp.MustCompile(`(?m)^toolchain go(\S+)$`).FindSubmatch(module)[1]
	if !strings.Contains(deployed(t, "Dockerfile"), "FROM golang:"+string(release)+"-") {
		t.Errorf("the Dockerfile does not build with Go %s", release)
	}
	for _, i := range dockerfile(t) {
		sources := strings.Fields(i.rest)
		if i.name != "COPY" || strings.HasPrefix(sources[0], "--from") {
			continue
		}
		for _, source := range sources[:len(sources)-1] {
			if _, err := os.Stat(filepath.Join("../..", source)); err != nil {
				t.Errorf("COPY %s: %v", i.rest, err)
			}
		}
	}
}

const (
	// maxImage is the maximum size of the image's content, in bytes.
	maxImage = 41 << 20
	// certificates is the size of Debian's CA certificates and of the playground's files, rounded up.
	certificates = 1 << 20
	graphiql     = 1 << 20
)

// The server, built as in the Dockerfile, runs without any files around it, and the image is small enough.
func TestImageSize(t *testing.T) {
	testlevel.LongWithoutRace(t)
	t.Parallel()
	build := ""
	for _, i := range dockerfile(t) {
		if i.name == "RUN" && strings.Contains(i.rest, "go build") {
			build = i.rest
		}
	}
	server := filepath.Join(t.TempDir(), "agora")
	// These would compile all packages again; they hardly change the size.
	build = strings.NewReplacer("CGO_ENABLED=0 ", "", "-trimpath ", "", "-o /agora", "-o "+server).Replace(build)
	cmd := exec.Command("sh", "-c", build)
	cmd.Dir = "../.."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", build, err, out)
	}
	info := must.Do(os.Stat(server))(t)
	t.Logf("the server has %.1f MB", float64(info.Size())/1e6)
	if size := info.Size() + certificates + graphiql; size > maxImage {
		t.Errorf("the image has %d bytes; want at most %d", size, maxImage)
	}
	run := exec.Command(server, "schema", "lint")
	run.Env, run.Dir = []string{}, t.TempDir()
	if out, err := run.CombinedOutput(); err != nil {
		t.Errorf("agora schema lint: %v\n%s", err, out)
	}
}
